import StreamMap

/// Reads what becomes of each record: `record`, a map of fields, and what stands beside it; or `value`, any other form.
struct RecordReader {
  private let map: MapReader<FileKey>
  private let fields: FieldReader
  private let mistakes: FileMistakes

  /// A reader of a whole mapping file.
  init(_ map: MapReader<FileKey>, _ fields: FieldReader, _ mistakes: FileMistakes) {
    self.map = map
    self.fields = fields
    self.mistakes = mistakes
  }

  /// The record's fields, with one that collects unknown keys, if there is one; or what else it becomes.
  func record(_ collector: String?) -> (ObjectSpec, ValueSpec?) {
    if let node = map[.record], node.string != "$" { return (object(node, collector), nil) }
    for key in map.present([.rest, .drop]) {
      mistakes.add(map.mark(of: key), "\(key) stands beside the fields of a record")
    }
    if let collector, !map.present([.record, .value]).isEmpty {
      mistakes.add(
        map.mark(of: .input),
        "unknown: collect:\(collector) is for a record that is a map of fields")
    }
    switch (map[.record], map[.value]) {
    case (.some, .some): refuseBoth()
    case (.some, nil):
      return (ObjectSpec(), ValueSpec(.scalar(ScalarSpec(.json)), policy: .required))
    case (nil, let node?): return (ObjectSpec(), value(node))
    case (nil, nil):
      mistakes.add(map.mark, "record is missing: it says what becomes of each record")
    }
    return (ObjectSpec(), nil)
  }

  private func object(_ node: LocatedNode, _ collector: String?) -> ObjectSpec {
    if map[.value] != nil { refuseBoth() }
    var object = fields.object(node, "record")
    object.rest = RestReader(map, rest: .rest, drop: .drop, mistakes).rest(beside: object.fields)
    if let collector {
      if object.rest != nil {
        mistakes.add(
          map.mark(of: .rest),
          "rest: keep and unknown: collect:\(collector) say two things of the same members; keep one of them"
        )
      } else {
        object.fields.append(FieldSpec(name: collector, source: .unknownKeys))
      }
    }
    return object
  }

  private func refuseBoth() {
    mistakes.add(map.mark(of: .value), "the file has 'record' and 'value'; keep one of them")
  }

  private func value(_ node: LocatedNode) -> ValueSpec? {
    if fields.isInside {
      mistakes.add(
        map.mark(of: .value),
        "a file that others use needs a record: they use its fields")
    }
    return ValueReader.element(node, "value", fields)
  }
}
