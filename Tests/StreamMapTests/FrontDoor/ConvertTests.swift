import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Order: Equatable {
  var id: Int
  var customer: String?
  var placed: Date
  var lines: [Line]
  var notes: JSONValue
  static let mapping = Mapping.object(Order.self) { field in
    field.make(
      Order.init, field("order_id", \.id), field("customer.name", \.customer),
      field("placed", \.placed), field("lines", \.lines, .array(of: Line.mapping)),
      field("notes", \.notes))
  }
}

private struct Line: Equatable {
  var price: Decimal
  static let mapping = Mapping.object(Line.self) { field in
    field.make(Line.init, field("price", \.price))
  }
}

private struct Row: Equatable {
  var name: String
  var number: Int8
  var first: Double
  var placed: Date
  var notes: RawJSON
  static let mapping = Mapping.object(Row.self) { field in
    field.make(
      Row.init, field("customer.name", \.name, .string.default("?")), field("order_id", \.number),
      field("lines[0].price", \.first), field("placed", \.placed), field("notes", \.notes))
  }
}

/// The way back of one mapping joined to another one.
@Suite struct ConvertTests {
  private let orders: Mapper<Order>
  private let rows: Mapper<Row>

  init() throws {
    orders = try Mapper(Order.mapping)
    rows = try Mapper(Row.mapping)
  }

  private func order(_ id: Int = 7) -> Order {
    Order(
      id: id, customer: nil, placed: Date(timeIntervalSince1970: 0), lines: [Line(price: 1.5)],
      notes: ["a": [1, "x"]])
  }

  @Test func `a conversion gives what encoding and decoding would give`() throws {
    let record = orders.convert(order(), to: rows)
    #expect(try record.get() == rows.decode(orders.encode(order())).get())
    #expect(try record.get().notes.description == #"{"a":[1,"x"]}"#)
    #expect(record.position == nil && record.issues.isEmpty)
    #expect(try orders.convert(order(), to: orders).get() == order())
  }

  @Test func `an error of the target mapping is the record's error`() throws {
    let record = orders.convert(order(300), to: rows)
    #expect(
      record.error?.description == """
        fatal numberOutOfRange at $.order_id → number (record 1): expected an integer (Int8), found \
        a number beyond its range
        """)
    #expect(try orders.convert(order(), to: rows).get().number == 7)
  }

  @Test func `an error of the way back is the record's error`() throws {
    var late = order()
    late.placed = Date(timeIntervalSince1970: 1e15)
    let record = orders.convert(late, to: rows)
    #expect(record.error?.path.description == "$.placed" && record.value == nil)
    #expect(try orders.convert(order(), to: rows).get().number == 7)
    let output = try Mapper(output: .any)
    #expect(
      output.convert(RawJSON(unchecked: []), to: rows).error?.code == .invalidDefinition)
  }

  @Test func `a value converts to an output record`() throws {
    let output = try Mapper(
      output: .object([
        OutputField("id", from: "order_id", .any), OutputField("l", from: "lines", .raw),
      ]))
    #expect(
      orders.convert(order(), to: output).value?.description == #"{"id":7,"l":[{"price":1.5}]}"#)
  }

  @Test func `many threads convert values at once`() async throws {
    await withTaskGroup(of: Bool.self) { group in
      for id in 0..<50 {
        group.addTask { [orders, rows, order = order(id)] in
          orders.convert(order, to: rows).value?.number == Int8(id)
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
