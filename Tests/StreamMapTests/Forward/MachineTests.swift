import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The machine, driven by hand: one event after the other, without any text.
@Suite struct MachineTests {
  private typealias Event = @Sendable (EventSink) -> Void

  /// A machine and the memory that it builds values in.
  private final class Bench<Value> {
    let machine: Machine
    private let destination: UnsafeMutablePointer<Value>

    init(_ mapping: Mapping<Value>) throws {
      let plan = try PlanCompiler.compile(mapping.definition)
      destination = .allocate(capacity: 1)
      machine = Machine(
        plan: plan, builder: ValueBuilder(plan: plan), limits: Limits(),
        destination: UnsafeMutableRawPointer(destination))
    }

    deinit {
      machine.abandon()
      destination.deallocate()
    }

    func begin(_ events: some Sequence<Event>) {
      machine.begin()
      for event in events { event(machine) }
    }

    func end() -> Value? { machine.end() ? destination.move() : nil }

    func map(_ events: [Event]) -> Value? {
      begin(events)
      return end()
    }
  }

  private struct Post: Equatable {
    let id: Int
    let author: String
    var tags: [String] = []
    static let mapping = Mapping.object(Post.self) { field in
      field.make(
        Post.init, field("id", \.id), field("user.name", \.author),
        field("tags", \.tags, .array(of: .string).default([])))
    }
  }

  private static let post: [Event] = [
    { $0.beginObject() }, { $0.key("lang") }, { $0.string("en") }, { $0.key("user") },
    { $0.beginObject() }, { $0.key("name") }, { $0.string("Ann") }, { $0.endObject() },
    { $0.key("other") }, { $0.beginArray() }, { $0.beginObject() }, { $0.key("id") },
    { $0.number("8") }, { $0.endObject() }, { $0.endArray() }, { $0.key("id") }, { $0.number("7") },
    { $0.endObject() },
  ]

  @Test func `events become a value, in any order and with others between them`() throws {
    let bench = try Bench(Post.mapping)
    #expect(bench.map(Self.post) == Post(id: 7, author: "Ann"))
    #expect(bench.machine.errors.isEmpty && bench.machine.frames.isOutermost)
  }

  @Test func `all errors of a record are kept, with their paths, until the next record begins`()
    throws
  {
    let bench = try Bench(Post.mapping)
    let value = bench.map([
      { $0.beginObject() }, { $0.key("id") }, { $0.string("x") }, { $0.key("tags") },
      { $0.beginArray() }, { $0.string("a") }, { $0.null() }, { $0.endArray() }, { $0.endObject() },
    ])
    #expect(value == nil)
    let errors = bench.machine.errors.entries.map { "\($0.severity) \($0.code) \($0.path)" }
    #expect(
      Set(errors) == [
        "fatal wrongType $.id", "fatal null $.tags[1]", "fatal missing $.user.name",
      ] && errors.count == 3)
    #expect(bench.map(Self.post) == Post(id: 7, author: "Ann"))
    #expect(bench.machine.errors.isEmpty)
  }

  @Test func `a record of no events has no value`() throws {
    let bench = try Bench(Post.mapping)
    #expect(bench.map([]) == nil)
    #expect(bench.map(Array(Self.post.dropLast())) == nil)
    #expect(bench.map(Self.post) == Post(id: 7, author: "Ann"))
  }

  private struct Tracked {
    let first: LifetimeTracked
    let list: [LifetimeTracked]
    let table: [String: LifetimeTracked]
    let either: LifetimeTracked
    let others: [String: JSONValue]
  }

  private func tracked(_ counter: LifetimeCounter) -> Mapping<Tracked> {
    let tag: Mapping<LifetimeTracked> = .converted(
      from: .string, { LifetimeTracked($0, counter) }, reverse: { $0.text })
    return Mapping.object(Tracked.self) { field in
      field.make(
        Tracked.init, field("first", \.first, tag), field("list", \.list, .array(of: tag)),
        field("table", \.table, .dictionary(of: tag)),
        field("either", \.either, .firstOf(.at("a", tag), .at("b", tag))),
        field(collecting: \.others))
    }
  }

  private static let trackedEvents: [Event] = [
    { $0.beginObject() }, { $0.key("first") }, { $0.string("1") }, { $0.key("first") },
    { $0.string("2") }, { $0.key("list") }, { $0.beginArray() }, { $0.string("3") },
    { $0.string("4") }, { $0.endArray() }, { $0.key("x") }, { $0.beginArray() }, { $0.null() },
    { $0.endArray() }, { $0.key("table") }, { $0.beginObject() }, { $0.key("k") },
    { $0.string("5") }, { $0.key("k") }, { $0.string("6") }, { $0.endObject() },
    { $0.key("either") },
    { $0.beginObject() }, { $0.key("b") }, { $0.string("7") }, { $0.endObject() },
    { $0.endObject() },
  ]

  @Test func `a record that is abandoned after any event releases all its values`() throws {
    let counter = LifetimeCounter()
    let bench = try Bench(tracked(counter))
    for count in 0...Self.trackedEvents.count {
      bench.begin(Self.trackedEvents.prefix(count))
      bench.machine.abandon()
      #expect(counter.live == 0, "after \(count) events")
      #expect(bench.machine.frames.isOutermost)
    }
    let value = bench.map(Self.trackedEvents)
    #expect(value?.first.text == "2" && value?.list.map(\.text) == ["3", "4"])
    #expect(value?.table.mapValues(\.text) == ["k": "6"] && value?.either.text == "7")
    #expect(value?.others == ["x": .array([.null])] && counter.live == 5)
  }

  @Test func `a record that ends after any event releases what it does not hand out`() throws {
    let counter = LifetimeCounter()
    let bench = try Bench(tracked(counter))
    for count in 0..<Self.trackedEvents.count {
      #expect(bench.map(Array(Self.trackedEvents.prefix(count))) == nil)
      #expect(counter.live == 0, "after \(count) events")
    }
    #expect(counter.made > 0)
  }
}
