import Foundation
import StreamMapMacros

let feed = Data(
  """
  [{"id":1,"title":"First","page_count":12,"author":{"display_name":"Ann"},"published":"2026-11-21T09:30:00Z","reading_time":90.5},
   {"id":2,"title":"Second","subtitle":"of two","author":{"display_name":"Bo"},"published":"2026-11-22T10:00:00Z","reading_time":60}]
  """.utf8)

let before = try Before.decode(feed)
let after = try After.decode(feed)
for (old, new) in zip(before, after) {
  let isSame =
    (old.id, old.title, old.pageCount, old.author) == (new.id, new.title, new.pageCount, new.author)
    && old.subtitle == new.subtitle && old.published == new.published
    && .seconds(old.readingTime) == new.readingTime
  print("\(new.id) \(new.title), \(new.readingTime): \(isSame ? "the same" : "another value")")
}

// What is encoded, Codable reads, too.
let written = Data(try Mapper([After.Article].self).encode(after))
print(try Before.decode(written) == before ? "read back by Codable" : "changed on the way")

// Codable tells of the first mistake; here all come together, each with its place.
let broken = Data(
  #"[{"id":"x","title":7,"author":{},"published":"2026-11-21","reading_time":1}]"#.utf8)
do {
  _ = try Before.decode(broken)
} catch DecodingError.typeMismatch(_, let context) {
  print("Codable: \(context.codingPath.map(\.stringValue).joined(separator: "."))")
}
for error in try Mapper([After.Article].self).decode(broken).error?.leaves ?? [] {
  print("StreamMap: \(error.code) at \(error.path)")
}
