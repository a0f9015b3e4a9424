/// Documents of 140 KB whose objects are dictionaries keyed by ids, like a ticket shop's catalogue.
struct CatalogueFeed: SeededFeed {
  let name = "catalogue.ndjson"
  let seed: UInt64 = 338_937

  func record(_ random: inout SeededGenerator, _ text: inout FeedText) {
    let areas = ids(&random, 17)
    let categories = ids(&random, 64)
    let topics = ids(&random, 4)
    let subTopics = ids(&random, 19)
    let events = ids(&random, 70)
    text.object {
      names("areaNames", areas, &random, &$0)
      names("audienceSubCategoryNames", ids(&random, 1), &random, &$0)
      names("blockNames", [], &random, &$0)
      $0.object("events") {
        for id in events { event(id, topics, subTopics, &random, &$0) }
      }
      $0.array("performances") {
        for event in events { performance(event, areas, categories, &random, &$0) }
      }
      names("seatCategoryNames", categories, &random, &$0)
      names("subTopicNames", subTopics, &random, &$0)
      names("subjectNames", [], &random, &$0)
      names("topicNames", topics, &random, &$0)
      $0.object("topicSubTopics") {
        for topic in topics { $0.put("\(topic)", subTopics.filter { _ in random.chance(30) }) }
      }
      $0.object("venueNames") { $0.put("HALL_MAIN", "Salle de l’Étoile") }
    }
  }

  private func ids(_ random: inout SeededGenerator, _ count: Int) -> [Int] {
    var next = random.number(107_888_604..<342_742_596)
    return (0..<count).map { _ in
      next += random.number(1..<500)
      return next
    }
  }

  private func names(
    _ key: String, _ ids: [Int], _ random: inout SeededGenerator, _ text: inout FeedText
  ) {
    text.object(key) {
      for id in ids {
        $0.put("\(id)", random.text(of: Vocabulary.scripts[5].words, count: 1..<5))
      }
    }
  }

  private func event(
    _ id: Int, _ topics: [Int], _ subTopics: [Int], _ random: inout SeededGenerator,
    _ text: inout FeedText
  ) {
    text.object("\(id)") {
      $0.put("description", nil)
      $0.put("id", id)
      $0.put("logo", random.chance(40) ? "/images/UE0AAAAA\(random.identifier(length: 6))" : nil)
      $0.put("name", random.text(of: Vocabulary.scripts[5].words, count: 2..<7))
      $0.put("subTopicIds", subTopics.filter { _ in random.chance(18) })
      $0.put("subjectCode", nil)
      $0.put("subtitle", nil)
      $0.put("topicIds", topics.filter { _ in random.chance(70) })
    }
  }

  private func performance(
    _ event: Int, _ areas: [Int], _ categories: [Int], _ random: inout SeededGenerator,
    _ text: inout FeedText
  ) {
    let own = (0..<random.number(2..<6)).map { _ in random.pick(categories) }
    text.object {
      $0.put("eventId", event)
      $0.put("id", event + random.number(1..<9_000))
      $0.put("logo", nil)
      $0.put("name", nil)
      $0.array("prices") {
        for category in own {
          $0.object {
            $0.put("amount", random.number(10..<300) * 500)
            $0.put("audienceSubCategoryId", 337_100_890)
            $0.put("seatCategoryId", category)
          }
        }
      }
      $0.array("seatCategories") {
        for category in own {
          $0.object {
            $0.array("areas") {
              for area in areas where random.chance(55) {
                $0.object {
                  $0.put("areaId", area)
                  $0.array("blockIds") { _ in }
                }
              }
            }
            $0.put("seatCategoryId", category)
          }
        }
      }
      $0.put("seatMapImage", nil)
      $0.put("start", 1_372_701_600_000 + random.number(0..<40_000) * 1_000_000)
      $0.put("venueCode", "HALL_MAIN")
    }
  }
}
