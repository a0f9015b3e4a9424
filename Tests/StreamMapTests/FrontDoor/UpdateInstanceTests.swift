import Testing

@testable import StreamMap

/// Instances of classes, which are updated without a variable.
@Suite struct UpdateInstanceTests {
  final class Settings {
    var theme = "light"
    var size = 12

    static var mapping: Mapping<Settings> {
      Mapping.object(Settings.self) { field in
        let theme = field("theme", \.theme)
        let size = field("size", \.size, .int.validated(.in(1...99)))
        return field.make(creating: Settings.init, theme, size)
      }
    }

    func take(_ text: String) throws { try Mapper(Self.mapping).update(self, from: text) }
  }

  @Test func `an instance is changed where it is, also by itself`() throws {
    let settings = Settings()
    try settings.take(#"{"size":14}"#)
    #expect(settings.theme == "light" && settings.size == 14)
    let mapper = try Mapper(Settings.mapping)
    try mapper.update(settings, from: Array(#"{"theme":"dark"}"#.utf8), absent: .untouched)
    #expect(settings.theme == "dark" && settings.size == 14)
  }

  @Test func `a mistake leaves the instance as it was`() throws {
    let settings = Settings()
    let error = #expect(throws: MappingError.self) {
      try settings.take(#"{"theme":"dark","size":100}"#)
    }
    #expect(error.map { "\($0.code) \($0.path)" } == "validationFailed $.size")
    #expect(settings.theme == "light" && settings.size == 12)
  }

  @Test func `another instance is refused, and the given one restored`() throws {
    let other = Settings.mapping.postProcessed { (_: JSONValue, settings: Settings) -> Settings in
      let copy = Settings()
      copy.size = settings.size
      return copy
    }
    let settings = Settings()
    let error = #expect(throws: MappingError.self) {
      try Mapper(other).update(settings, from: #"{"size":14}"#)
    }
    #expect(error?.code == .invalidDefinition)
    #expect(error?.description.contains("returns another instance") == true)
    #expect(settings.size == 12)
    var variable = settings
    try Mapper(other).update(&variable, from: #"{"size":14}"#)
    #expect(variable.size == 14 && variable !== settings)
  }
}
