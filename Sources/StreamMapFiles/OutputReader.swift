import StreamMap

/// Reads what a mapping file says of the output.
struct OutputReader {
  private let mistakes: FileMistakes

  init(_ mistakes: FileMistakes) {
    self.mistakes = mistakes
  }

  func output(_ map: MapReader<OutputKey>) -> MappingFile.Output {
    var output = MappingFile.Output()
    output.format = map.choice(.format, MappingFile.Output.Format.self)
    if let nulls = map.choice(.nulls, Nulls.self) { output.omitsNulls = nulls == .omit }
    if let hasHeader = map.bool(.header) { output.rows.hasHeader = hasHeader }
    if let isSafe = map.bool(.safe) { output.rows.isSafe = isSafe }
    if let node = map[.nested], let text = map.string(.nested) {
      if text.isEmpty {
        mistakes.add(node.mark, "nested has to be json, or what stands between names, such as '.'")
      }
      output.rows.separator = text == "json" ? nil : text
    }
    readTable(map, &output)
    output.arrays = arrays(map)
    output.arrays.isDeep = output.rows.separator != nil
    return output
  }

  private func readTable(_ map: MapReader<OutputKey>, _ output: inout MappingFile.Output) {
    output.file = name(.file, map)
    output.table = name(.table, map)
    output.key = map.strings(.key).map(\.text)
    output.mode = map.choice(.mode, MappingFile.Output.WriteMode.self) ?? .insert
    guard let format = output.format, format != .sqlite else { return }
    for key in map.present([.file, .mode]) {
      mistakes.add(map.mark(of: key), "\(key) is for 'format: sqlite'")
    }
  }

  private func name(_ key: OutputKey, _ map: MapReader<OutputKey>) -> String? {
    guard let name = map.string(key) else { return nil }
    if name.isEmpty {
      mistakes.add(map[key]?.mark ?? map.mark, "\(key) has to be a name; found ''")
    }
    return name
  }

  enum Nulls: String, CaseIterable {
    case keep, omit
  }

  enum Arrays: String, CaseIterable {
    case json, explode
  }

  private func arrays(_ map: MapReader<OutputKey>) -> RowArrays {
    var arrays = RowArrays()
    guard let node = map[.arrays] else { return arrays }
    guard case .map = node.content else {
      if map.choice(.arrays, Arrays.self) == .explode { arrays.exploded = .only }
      return arrays
    }
    guard let inner = MapReader(node, "arrays", ArraysKey.keys, mistakes) else { return arrays }
    if let name = inner.string(.explode) { arrays.exploded = .named(name) }
    arrays.joint = inner.string(.joined)
    if !inner.hasUnknown, inner[.joined] == nil, inner[.explode] == nil {
      mistakes.add(
        node.mark, "arrays has to be json, explode, { explode: FIELD } or { joined: \", \" }")
    }
    return arrays
  }
}
