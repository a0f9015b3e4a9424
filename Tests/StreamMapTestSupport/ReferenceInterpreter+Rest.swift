@testable import StreamMap

// The members that no field names, and what is kept of them.
extension ReferenceInterpreter {
  /// What an object keeps of them, in its order.
  func rest(of object: ObjectDefinition, _ choosers: Set<[ExactText]>, _ json: NaiveJSON)
    -> [NaiveJSON.Member]
  {
    guard let except = object.rest, case .object(let members) = json.value else { return [] }
    let known = takenKeys(of: object, choosers)
    let names = Set(object.fields.compactMap(\.target.first).map { ExactText($0) })
    let dropped = except.compactMap { try? PathPattern(parsing: $0).steps[...] }
    var kept: [NaiveJSON.Member] = []
    for member in members where !known.contains(member.exactKey) && !names.contains(member.exactKey)
    {
      let inside = dropped.filter { $0.first == .key(member.key) }.map { $0.dropFirst() }
      guard let value = member.value.without(inside) else { continue }
      let left = NaiveJSON.Member(key: member.key, keyPosition: member.keyPosition, value: value)
      guard let earlier = kept.firstIndex(where: { $0.key == member.key }) else {
        kept.append(left)
        continue
      }
      if !object.takesFirst { kept[earlier] = left }
    }
    return kept
  }
}

extension NaiveJSON {
  /// The value without what is at these paths; nil if it is itself at one of them.
  fileprivate func without(_ paths: [ArraySlice<PathPattern.Step>]) -> NaiveJSON? {
    if paths.contains(where: \.isEmpty) { return nil }
    func left(_ part: NaiveJSON, _ isAt: (PathPattern.Step) -> Bool) -> NaiveJSON? {
      part.without(paths.filter { $0.first.map(isAt) ?? false }.map { $0.dropFirst() })
    }
    switch value {
    case .object(let members):
      let kept = members.compactMap { member in
        left(member.value) { $0 == .wildcard || $0 == .key(member.key) }.map {
          Member(key: member.key, keyPosition: member.keyPosition, value: $0)
        }
      }
      return NaiveJSON(.object(kept), position)
    case .array(let elements):
      let kept = elements.enumerated().compactMap { index, element in
        left(element) { step in
          switch step {
          case .index(let other): other == index
          case .elements(let first, let end, _): first ?? 0 <= index && index < end ?? .max
          case .wildcard: true
          // What is dropped has none of the last three.
          case .key, .filter, .anyOf, .descendants: false
          }
        }
      }
      return NaiveJSON(.array(kept), position)
    default: return self
    }
  }
}
