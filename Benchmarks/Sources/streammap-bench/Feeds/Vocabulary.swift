/// Words of several scripts, so that strings have UTF-8 sequences of one to four bytes.
enum Vocabulary {
  static let scripts: [(language: String, words: [String])] = [
    (
      "en",
      [
        "stream", "of", "records", "that", "never", "ends", "maps", "into", "values", "while",
        "memory", "stays", "flat", "and", "every", "error", "has", "an", "address", "today",
      ]
    ),
    (
      "ja",
      [
        "名前", "第一印象", "今の", "好きなところ", "思い出", "照れますがな", "一言", "最高の夏", "ありがとう", "関西",
        "シリーズ", "無言フォロー", "動画", "お問い合わせ", "はこちら", "月影", "野球部", "ご質問", "詳しい", "最近は",
      ]
    ),
    ("ru", ["поток", "записей", "без", "конца", "память", "ровная", "адрес", "ошибки", "сегодня"]),
    ("ar", ["سجل", "البيانات", "عنوان", "ذاكرة", "اليوم", "خطأ", "تدفق", "بلا", "نهاية"]),
    ("ko", ["기록", "흐름", "메모리", "주소", "오늘", "오류", "끝없는", "값", "지도"]),
    ("de", ["Größe", "fließt", "über", "Straße", "für", "schön", "Öl", "Ärger", "heute", "genau"]),
  ]
  static let emoji = ["😋", "✨", "😊", "❤️", "✋", "😘", "💖", "🎉", "🚀", "🙈"]
  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  static let zones = ["Tokyo", "Berlin", "Pacific Time (US & Canada)", "Moscow"]
}

extension SeededGenerator {
  mutating func script() -> (language: String, words: [String]) {
    // Japanese most of the time, as in the best-known feed.
    chance(60) ? Vocabulary.scripts[1] : pick(Vocabulary.scripts)
  }

  /// Words of one script, with some emoji and line ends among them.
  mutating func text(of words: [String], count: Range<Int>) -> String {
    var text = ""
    for index in 0..<number(count) {
      if index > 0 { text += chance(6) ? "\n" : " " }
      text += chance(8) ? pick(Vocabulary.emoji) : pick(words)
    }
    return text
  }

  mutating func identifier(length: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return String((0..<length).map { _ in letters[number(0..<letters.count)] })
  }

  /// A time such as `Sun Aug 31 00:29:15 +0000 2014`.
  mutating func timestamp() -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let date = "\(pick(Vocabulary.days)) \(pick(Vocabulary.months)) \(two(number(1..<29)))"
    let time = "\(two(number(0..<24))):\(two(number(0..<60))):\(two(number(0..<60)))"
    return "\(date) \(time) +0000 \(number(2007..<2015))"
  }
}
