/// Records like those of a social network's search: about 4.6 KB and 300 tokens, most of which are never mapped.
struct TweetFeed: SeededFeed {
  let name = "tweets.ndjson"
  let seed: UInt64 = 20_140_831
  private var lastID = 505_874_847_260_352_512

  mutating func record(_ random: inout SeededGenerator, _ text: inout FeedText) {
    text.object { tweet(&random, &$0, repeats: random.chance(55)) }
  }

  private mutating func tweet(
    _ random: inout SeededGenerator, _ text: inout FeedText, repeats: Bool
  ) {
    let script = random.script()
    // Beyond 2^53, so that a reader that goes through Double is detected.
    lastID += random.number(1..<4_000_001)
    let id = lastID
    text.object("metadata") {
      $0.put("result_type", "recent")
      $0.put("iso_language_code", script.language)
    }
    text.put("created_at", random.timestamp())
    text.put("id", id)
    text.put("id_str", "\(id)")
    text.put("text", random.text(of: script.words, count: 6..<30))
    let device = random.pick(["iphone", "android", "ipad"])
    text.put(
      "source",
      "<a href=\"http://social.example/download/\(device)\" rel=\"nofollow\">For \(device)</a>")
    text.put("truncated", false)
    reply(&random, &text)
    text.object("user") { user(&random, &$0, script) }
    for key in ["geo", "coordinates", "place", "contributors"] { text.put(key, nil) }
    if repeats {
      text.object("retweeted_status") { tweet(&random, &$0, repeats: false) }
    }
    text.put("retweet_count", random.chance(50) ? 0 : random.number(0..<12_000))
    text.put("favorite_count", random.number(0..<900))
    text.object("entities") { entities(&random, &$0, script.words) }
    text.put("favorited", false)
    text.put("retweeted", false)
    if random.chance(13) { text.put("possibly_sensitive", false) }
    text.put("lang", script.language)
  }

  private func reply(_ random: inout SeededGenerator, _ text: inout FeedText) {
    let isReply = random.chance(30)
    let status = isReply ? random.number(1_000_000..<505_874_847_260_352_512) : 0
    let user = isReply ? random.number(1_000_000..<2_900_000_000) : 0
    for (key, id) in [("status", status), ("user", user)] {
      if isReply {
        text.put("in_reply_to_\(key)_id", id)
      } else {
        text.put("in_reply_to_\(key)_id", nil)
      }
      text.put("in_reply_to_\(key)_id_str", isReply ? "\(id)" : nil)
    }
    text.put("in_reply_to_screen_name", isReply ? random.identifier(length: 9) : nil)
  }

  private func user(
    _ random: inout SeededGenerator, _ text: inout FeedText,
    _ script: (language: String, words: [String])
  ) {
    let id = random.number(1_000_000..<2_900_000_000)
    let link = random.chance(20) ? link(&random) : nil
    text.put("id", id)
    text.put("id_str", "\(id)")
    text.put("name", random.text(of: script.words, count: 1..<4))
    text.put("screen_name", random.identifier(length: random.number(5..<16)))
    text.put("location", random.chance(50) ? "" : random.text(of: script.words, count: 1..<3))
    text.put("description", random.text(of: script.words, count: 8..<40))
    text.put("url", link?.url)
    text.object("entities") {
      if let link {
        $0.object("url") { $0.array("urls") { $0.object { put(link, &$0) } } }
      }
      $0.object("description") { $0.array("urls") { _ in } }
    }
    text.put("protected", false)
    text.put("followers_count", random.number(0..<90_000))
    text.put("friends_count", random.number(0..<3_000))
    text.put("listed_count", random.number(0..<200))
    text.put("created_at", random.timestamp())
    text.put("favourites_count", random.number(0..<9_000))
    if random.chance(40) {
      text.put("utc_offset", random.pick([32_400, 3_600, -25_200, 14_400]))
      text.put("time_zone", random.pick(Vocabulary.zones))
    } else {
      text.put("utc_offset", nil)
      text.put("time_zone", nil)
    }
    text.put("geo_enabled", random.chance(40))
    text.put("verified", random.chance(2))
    text.put("statuses_count", random.number(1..<90_000))
    text.put("lang", script.language)
    profile(&random, &text, id)
  }

  private func profile(_ random: inout SeededGenerator, _ text: inout FeedText, _ id: Int) {
    for key in ["contributors_enabled", "is_translator", "is_translation_enabled"] {
      text.put(key, false)
    }
    let picture = "\(random.number(1_000_000..<500_268_849))/\(random.identifier(length: 8))"
    text.put("profile_background_color", "C0DEED")
    text.put("profile_background_image_url", "http://img.example/images/themes/theme1/bg.png")
    text.put(
      "profile_background_image_url_https", "https://img.example/images/themes/theme1/bg.png")
    text.put("profile_background_tile", random.chance(20))
    text.put("profile_image_url", "http://img.example/profile_images/\(picture)_normal.jpeg")
    text.put("profile_image_url_https", "https://img.example/profile_images/\(picture)_normal.jpeg")
    if random.chance(90) {
      text.put("profile_banner_url", "https://img.example/profile_banners/\(id)/1409318784")
    }
    text.put("profile_link_color", "0084B4")
    text.put("profile_sidebar_border_color", "C0DEED")
    text.put("profile_sidebar_fill_color", "DDEEF6")
    text.put("profile_text_color", "333333")
    text.put("profile_use_background_image", true)
    text.put("default_profile", random.chance(60))
    text.put("default_profile_image", false)
    for key in ["following", "follow_request_sent", "notifications"] { text.put(key, false) }
  }

  // MARK: Entities

  private func entities(
    _ random: inout SeededGenerator, _ text: inout FeedText, _ words: [String]
  ) {
    text.array("hashtags") {
      for _ in 0..<(random.chance(15) ? random.number(1..<4) : 0) {
        $0.object {
          $0.put("text", random.pick(words))
          $0.put("indices", [0, 9])
        }
      }
    }
    text.array("symbols") { _ in }
    text.array("urls") {
      if random.chance(15) { $0.object { put(link(&random), &$0) } }
    }
    text.array("user_mentions") {
      for _ in 0..<(random.chance(45) ? random.number(1..<3) : 0) {
        let id = random.number(1_000_000..<2_900_000_000)
        $0.object {
          $0.put("screen_name", random.identifier(length: 10))
          $0.put("name", random.text(of: words, count: 1..<3))
          $0.put("id", id)
          $0.put("id_str", "\(id)")
          $0.put("indices", [0, 11])
        }
      }
    }
    guard random.chance(8) else { return }
    text.array("media") { $0.object { media(&random, &$0) } }
  }

  private func media(_ random: inout SeededGenerator, _ text: inout FeedText) {
    let id = random.number(400_000_000_000_000_000..<505_874_847_260_352_512)
    let name = random.identifier(length: 10)
    text.put("id", id)
    text.put("id_str", "\(id)")
    text.put("indices", [20, 42])
    text.put("media_url", "http://img.example/media/\(name).jpg")
    text.put("media_url_https", "https://img.example/media/\(name).jpg")
    text.put("url", "http://s.example/\(name)")
    text.put("display_url", "pic.example/\(name)")
    text.put("expanded_url", "http://social.example/status/\(id)/photo/1")
    text.put("type", "photo")
    text.object("sizes") {
      for (size, width) in [("medium", 600), ("small", 340), ("thumb", 150), ("large", 1024)] {
        $0.object(size) {
          $0.put("w", width)
          $0.put("h", width * 3 / 4)
          $0.put("resize", size == "thumb" ? "crop" : "fit")
        }
      }
    }
  }

  private struct ShortLink {
    let url: String
    let target: String
  }

  private func link(_ random: inout SeededGenerator) -> ShortLink {
    ShortLink(
      url: "http://s.example/\(random.identifier(length: 10))",
      target: "pages.example/member?id=\(random.number(1..<90_000))")
  }

  private func put(_ link: ShortLink, _ text: inout FeedText) {
    text.put("url", link.url)
    text.put("expanded_url", "http://\(link.target)")
    text.put("display_url", link.target)
    text.put("indices", [0, 22])
  }
}
