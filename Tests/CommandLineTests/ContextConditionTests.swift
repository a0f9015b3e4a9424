import Foundation
import Testing

/// Conditions and formulas that ask for what is around a record: values of `context`, and facts.
@Suite struct ContextConditionTests {
  private let command: Command
  private let feed = """
    {"data":[{"currency":"JPY","rate":3,"rows":[{"n":1,"tags":["a","JPY"]},{"n":7},{"n":8},{"n":9}]},\
    {"currency":"XXX","rows":[{"n":"bad"},null,[1]]},{"currency":"CHF","rows":[{"n":2,"tags":["JPY"]},{"n":3}]}]}

    """

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      input: { records: "$.data[*].rows[*]", unknown: report }
      args: { factor: { type: int64, default: 2 } }
      context:
        currency: "$.data[*].currency"
        rate: { from: "$.data[*].rate", type: decimal, nullable: true }
      record:
        n: { from: n, type: int64 }
        total: { calc: "n * ($rate ?? 1) * $factor", type: decimal }
        unit:
          cases:
            - { when: { context: currency, one_of: [JPY] }, const: yen }
            - { when: { meta: index, min: 1 }, template: "{n}!" }
          otherwise: none
        tags: { from: tags, where: { calc: "$ != $currency" }, each: string, default: [] }
      where:
        all:
          - not: { context: currency, equals: XXX }
          - calc: "$currency == 'CHF' or n < 9"
          - { meta: index, max: 2 }
      """, to: "m.yaml")
  }

  @Test(arguments: [[], ["--parser", "yajl"], ["--parser", "index", "--jobs", "2"]])
  func `conditions and formulas ask for values of the context and for facts`(_ options: [String])
    throws
  {
    let result = try command.run(
      ["-m", "m.yaml", "--stats", "json"] + options, input: Array(feed.utf8))
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        {"n":1,"total":6,"unit":"yen","tags":["a"]}
        {"n":7,"total":42,"unit":"yen","tags":[]}
        {"n":8,"total":48,"unit":"yen","tags":[]}
        {"n":2,"total":4,"unit":"none","tags":["JPY"]}
        {"n":3,"total":6,"unit":"3!","tags":[]}

        """)
    // What no field takes is not unknown if only such a condition looks at it.
    #expect(result.errors.contains("\"issues\":0"), "\(result.errors)")
  }

  @Test func `a record that a condition on its surroundings keeps has to be of the right kind`()
    throws
  {
    let result = try command.run(
      "-m", "m.yaml", input: "{\"data\":[{\"currency\":\"CHF\",\"rows\":[null]}]}\n")
    #expect(result.status == 7)
    #expect(result.errors.contains("expected an object, found null"), "\(result.errors)")
  }

  @Test func `beside a condition on a field, they are asked when the record is mapped`() throws {
    try command.write(
      """
      streammap: 1
      input: { records: "$.data[*].rows[*]" }
      context: { currency: "$.data[*].currency" }
      record: { n: { from: n, type: int64 } }
      where: { all: [{ not: { context: currency, equals: XXX } }, { field: n, min: 3 }] }
      errors: { mode: skip }
      """, to: "late.yaml")
    let result = try command.run("-m", "late.yaml", input: feed)
    #expect(result.status == 1)
    #expect(result.output == "{\"n\":7}\n{\"n\":8}\n{\"n\":9}\n{\"n\":3}\n")
  }

  @Test func `a record before a value says what would take it`() throws {
    try command.write(
      """
      streammap: 1
      input: { records: "$.data[*].rows[*]" }
      context: { currency: { from: "$.data[*].currency", type: string } }
      record: { n: n, currency: { context: currency } }
      """, to: "required.yaml")
    let result = try command.run(
      "-m", "required.yaml", input: "{\"data\":[{\"rows\":[{\"n\":1}],\"currency\":\"CHF\"}]}\n")
    #expect(result.status == 7)
    #expect(
      result.errors.contains(
        "before the record) is missing; for records without the value write nullable: true, or default: and a value"
      ), "\(result.errors)")
  }

  @Test func `explain says what is asked`() throws {
    let result = try command.run("explain", "m.yaml")
    #expect(result.output.contains("not (the context value 'currency': 'XXX')"), "\(result.output)")
    #expect(result.output.contains("when the index of the record: at least 1"), "\(result.output)")
  }

  @Test(
    arguments: [
      (
        "v: { calc: $rates }",
        "there is no argument or context value 'rates'; a key that starts with $ is quoted: ['$rates']; did you mean 'rate'?"
      ),
      (
        "v: { cases: [{ when: { context: rat, min: 1 }, const: 1 }], otherwise: 2 }",
        "context: there is no value named 'rat' under the file's 'context'; did you mean 'rate'?"
      ),
      (
        "v: { cases: [{ when: { meta: keys, equals: a }, const: 1 }], otherwise: 2 }",
        "meta has to be one of record_number, byte_offset, line, file, key, index"
      ),
      (
        "v: { from: l, list: [{ where: { context: rate, min: 1 } }, count] }",
        "a condition on elements cannot look at the context value 'rate'"
      ),
    ])
  func `a mistake is told with its place`(_ field: String, _ message: String) throws {
    try command.write(
      """
      streammap: 1
      input: { records: "$.data[*].rows[*]" }
      context: { rate: { from: "$.data[*].rate", type: decimal } }
      record:
        \(field)
      """, to: "wrong.yaml")
    let result = try command.run("check", "wrong.yaml")
    #expect(result.mistakes.count == 1)
    #expect(result.mistakes.first?.contains(message) == true, "\(result.errors)")
  }

  @Test func `a value of the context and an argument need different names`() throws {
    try command.write(
      """
      streammap: 1
      args: { day: { type: string, default: x } }
      context: { day: $.day }
      record: { a: a }
      """, to: "wrong.yaml")
    let result = try command.run("check", "wrong.yaml")
    #expect(result.errors.contains("'day' is also the name of an argument; give it another one"))
  }
}

/// Fields and texts that are made of values of `context`.
@Suite struct ContextFieldTests {
  private let command: Command

  init() throws {
    command = try Command()
    try command.write(
      """
      streammap: 1
      input: { records: "$.result[*].values[*]" }
      args: { stage: { type: string, default: live } }
      context:
        labels: { from: "$.result[*].metric", type: json }
        name: { from: "$.result[*].name", type: string, nullable: true }
        place: { from: "$.result[*]", meta: index }
      record:
        job: { context: labels, from: job, text: upper, nullable: true }
        tags: { context: labels, from: tags, list: [sort, last], optionally: none }
        all: { context: labels, map: any, optionally: {} }
        id: { template: "{$stage}/{$place}{?/{$name}}/{[0]}" }
        pair: { join: [$name, "[1]"], with: "=", default: "-" }
      """, to: "m.yaml")
  }

  @Test(arguments: [[], ["--parser", "yajl"], ["--parser", "index", "--jobs", "2"]])
  func `a field takes a part of a value of the context, and changes it`(_ options: [String]) throws
  {
    let feed = """
      {"result":[{"name":"up","metric":{"job":"api","tags":["b","c","a"]},"values":[[1,"x"],[2,"y"]]},\
      {"metric":{"zone":1},"values":[[3,"z"]]}]}

      """
    let result = try command.run(["-m", "m.yaml"] + options, input: Array(feed.utf8))
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        {"job":"API","tags":"c","all":{},"id":"live/0/up/1","pair":"up=x"}
        {"job":"API","tags":"c","all":{},"id":"live/0/up/2","pair":"up=y"}
        {"job":null,"tags":"none","all":{"zone":1},"id":"live/1/3","pair":"-"}

        """)
  }

  @Test func `what is wrong with a part of it is an error of the record`() throws {
    let result = try command.run(
      "-m", "m.yaml", input: "{\"result\":[{\"metric\":{\"job\":{}},\"values\":[[1,\"x\"]]}]}\n")
    #expect(result.status == 7)
    #expect(result.errors.contains("job"), "\(result.errors)")
    #expect(result.errors.contains("expected a string"), "\(result.errors)")
  }

  @Test func `explain and the schema of the output tell of it`() throws {
    let result = try command.run("explain", "m.yaml")
    #expect(result.output.contains("the context value 'labels' → job: "), "\(result.output)")
    let schema = try command.run("schema", "m.yaml")
    #expect(schema.output.contains("\"job\""), "\(schema.output)")
  }

  @Test func `a name that is not there is a mistake`() throws {
    try command.write(
      """
      streammap: 1
      args: { stage: { type: string, default: live } }
      record:
        a: { template: "{$stag}" }
        b: { join: [a, $stages] }
        c: { context: x, text: upper }
        d: { template: "{$.a}{$['b']}" }
      """, to: "wrong.yaml")
    let result = try command.run("check", "wrong.yaml")
    #expect(result.mistakes.count == 3, "\(result.errors)")
    #expect(
      result.errors.contains(
        "template: there is no argument or context value 'stag'; did you mean 'stage'?"))
    #expect(
      result.errors.contains(
        "join: there is no argument or context value 'stages'; did you mean 'stage'?"))
  }
}
