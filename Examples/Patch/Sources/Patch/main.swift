var articles = try Articles([
  7: Article(
    title: "First", subtitle: "draft", tags: ["a"],
    author: Author(name: "Ann", mail: "ann@localhost"))
])

let bodies = [
  #"{"title":"Second"}"#,
  #"{"subtitle":null,"author":{"name":"Bo"}}"#,
  #"{"title":"","tags":["b",7]}"#,
  #"{"title":"#,
  "{}",
]
for body in bodies {
  let (status, answer) = try articles.patch(7, Array(body.utf8))
  print(status, String(decoding: answer, as: UTF8.self))
}
print(try articles.patch(8, []).status)
