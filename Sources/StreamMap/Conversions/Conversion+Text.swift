#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Conversions between texts and values that are written as texts: URLs, UUIDs, bytes, keys.

extension Conversion where Source == String, Target == URL {
  /// A URL (a URI reference of RFC 3986), absolute or relative; the reverse writes it in full.
  ///
  /// Characters outside ASCII are percent-encoded, or converted by IDNA in a host; nothing else is repaired.
  public static var url: Conversion {
    urlText("URL", "a URL") {
      StringToURL.url($0)
    } accepts: { _ in
      true
    }
  }

  /// A URL with any scheme.
  public static var absoluteURL: Conversion {
    urlText("absolute URL", "a URL with a scheme") {
      StringToURL.url($0)
    } accepts: {
      $0.scheme?.isEmpty == false
    }
  }

  /// A URL with one of these schemes, ignoring case, in both directions; the scheme keeps its spelling.
  ///
  /// ```swift
  /// let link: Conversion<String, URL> = .url(schemes: ["http", "https"])
  /// try link.forward("ftp://example.com")  // throws: expected a URL (http, https)
  /// ```
  public static func url(schemes: [String]) -> Conversion {
    let name = "URL"
    guard !schemes.isEmpty else { return Conversion(name, mistake: "the list of schemes is empty") }
    for scheme in schemes {
      guard scheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil else {
        return Conversion(
          name,
          mistake: "'\(scheme)' is not a scheme; a scheme is a name such as https, without ://")
      }
    }
    let known = schemes.map(ASCIIText.lowercased)
    return urlText(name, "a URL (\(schemes.joined(separator: ", ")))") {
      StringToURL.url($0, schemes: schemes)
    } accepts: { url in
      url.scheme.map { known.contains(ASCIIText.lowercased($0)) } ?? false
    }
  }

  private static func urlText(
    _ name: String, _ expected: String, _ read: @escaping @Sendable (String) -> URL?,
    accepts: @escaping @Sendable (URL) -> Bool
  ) -> Conversion {
    let failure = ConversionFailure(expected: expected)
    return Conversion(name) { text in
      guard let url = read(text), accepts(url) else { throw failure }
      return url
    } reverse: { url in
      guard accepts(url) else { throw failure }
      return StringToURL.text(url)
    }
  }
}

extension Conversion where Source == String, Target == UUID {
  /// A UUID in its canonical form (RFC 9562), in either case; the reverse writes upper case.
  public static var uuid: Conversion {
    Conversion("UUID") { text in
      var text = text
      guard let uuid = text.withUTF8(UUIDText.parse) else {
        throw ConversionFailure(expected: "a UUID")
      }
      return uuid
    } reverse: { uuid in
      String(unsafeUninitializedCapacity: UUIDText.count) { buffer in
        buffer.baseAddress.map { UUIDText.write(uuid, into: $0) } ?? 0
      }
    }
  }
}

extension Conversion where Source == String, Target == Data {
  /// Bytes in base64 (RFC 4648, section 4) with padding, and back.
  ///
  /// White space is an error, and so are unused bits that are not 0: the same bytes have only one text.
  public static var base64: Conversion { data(.standard, "base64") }

  /// Bytes in base64url (RFC 4648, section 5), with or without padding; the reverse writes none.
  public static var base64URL: Conversion { data(.url, "base64url") }

  private static func data(_ form: Base64, _ name: String) -> Conversion {
    let failure = ConversionFailure(expected: "bytes in " + name)
    return Conversion(name) { text in
      var text = text
      guard let data = text.withUTF8({ form.data($0) }) else { throw failure }
      return data
    } reverse: {
      form.text($0)
    }
  }
}

extension Conversion where Source == String, Target == String {
  /// A key in another case: see ``KeyCase``.
  ///
  /// ```swift
  /// let key: Conversion<String, String> = .keyCase(from: .camelCase, to: .snakeCase)
  /// try key.forward("firstName")    // "first_name"
  /// try key.reverse?("first_name")  // "firstName"
  /// ```
  ///
  /// The reverse is the same transform to `source`; it gives the original key if that was in its usual form.
  public static func keyCase(from source: KeyCase, to target: KeyCase) -> Conversion {
    Conversion(target.name) {
      target.key(for: $0)
    } reverse: {
      source.key(for: $0)
    }
  }
}
