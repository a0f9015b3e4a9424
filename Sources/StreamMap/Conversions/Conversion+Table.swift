extension Conversion where Source: Hashable & Sendable, Target: Hashable & Sendable {
  /// A table that maps each value to another; any value outside the table is an error that names those in it.
  ///
  /// ```swift
  /// let status: Conversion<String, Status> = .table(["A": .active, "D": .deleted])
  /// ```
  ///
  /// A table that is not one-to-one, or empty, is a ``mistake``.
  public static func table(_ pairs: KeyValuePairs<Source, Target>) -> Conversion {
    table(pairs: pairs.map { ($0.key, $0.value) })
  }

  /// A table made from pairs: see ``table(_:)``.
  ///
  /// - Parameter pairs: The values, in the order in which messages list them.
  /// - Returns: The conversion by table.
  public static func table(pairs: [(Source, Target)]) -> Conversion {
    let name = "table of \(pairs.count)"
    var targets: [ExactValue<Source>: Target] = [:]
    var sources: [ExactValue<Target>: Source] = [:]
    for (source, target) in pairs {
      if targets.updateValue(target, forKey: ExactValue(source)) != nil {
        return Conversion(
          name, mistake: "the table has \(ValueList.text(source)) twice; list each value once")
      }
      if let other = sources.updateValue(source, forKey: ExactValue(target)) {
        return Conversion(
          name,
          mistake:
            "the table maps both \(ValueList.text(other)) and \(ValueList.text(source)) to "
            + "\(ValueList.text(target)), so it cannot be reversed; list each value once")
      }
    }
    guard !pairs.isEmpty else { return Conversion(name, mistake: "the table is empty") }
    let accepted = ConversionFailure(expected: ValueList.text(oneOf: pairs.map(\.0)))
    let known = ConversionFailure(expected: ValueList.text(oneOf: pairs.map(\.1)))
    return Conversion(name) { [targets] source in
      guard let target = targets[ExactValue(source)] else { throw accepted }
      return target
    } reverse: { [sources] target in
      guard let source = sources[ExactValue(target)] else { throw known }
      return source
    }
  }
}

extension Conversion where Source: Hashable & Sendable, Target: Sendable {
  /// A table in which several values may become the same; one-way.
  ///
  /// ```swift
  /// let kind: Conversion<String, Kind> = .oneWayTable(["a": .new, "b": .new, "c": .old], otherwise: .other)
  /// ```
  ///
  /// A value that is listed twice, or a table that is empty, is a ``mistake``.
  ///
  /// - Parameters:
  ///   - pairs: The values, in the order in which messages list them.
  ///   - otherwise: What any other value becomes; without it, such a value is an error.
  /// - Returns: The conversion.
  public static func oneWayTable(
    _ pairs: KeyValuePairs<Source, Target>, otherwise: Target? = nil
  ) -> Conversion {
    oneWayTable(pairs: pairs.map { ($0.key, $0.value) }, otherwise: otherwise)
  }

  /// A table made from pairs: see ``oneWayTable(_:otherwise:)``.
  public static func oneWayTable(
    pairs: [(Source, Target)], otherwise: Target? = nil
  ) -> Conversion {
    let name = "table of \(pairs.count)"
    var targets: [ExactValue<Source>: Target] = [:]
    for (source, target) in pairs
    where targets.updateValue(target, forKey: ExactValue(source)) != nil {
      return Conversion(
        name, mistake: "the table has \(ValueList.text(source)) twice; list each value once")
    }
    guard !pairs.isEmpty else { return Conversion(name, mistake: "the table is empty") }
    let accepted = ConversionFailure(expected: ValueList.text(oneOf: pairs.map(\.0)))
    return Conversion(name) { [targets] source in
      guard let target = targets[ExactValue(source)] ?? otherwise else { throw accepted }
      return target
    }
  }
}
