// Text is equal by its code points, in all modules of this package.
//
// Swift's own `==` takes for one what is only canonically equivalent: "é" as one code point or as two, K and the Kelvin sign. JSON
// does not (RFC 8259, section 8.3): an object may have both as keys. So the operators here stand before those of the standard
// library wherever this package compares Strings, those that the compiler writes for `Equatable` included. Generic code does not
// see them: a dictionary or a set of text has `ExactText` in it. `scripts/check text` finds what compares in Swift's way.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension String {
  // PERF: nearly all texts that are compared differ in length, and that costs no call.
  @inlinable package static func == (a: String, b: String) -> Bool {
    a.utf8.count == b.utf8.count && a.hasBytes(of: b)
  }

  /// Whether a text of the same length has the same bytes.
  @usableFromInline package func hasBytes(of other: String) -> Bool {
    let (a, b) = (utf8, other.utf8)
    let isSame = a.withContiguousStorageIfAvailable { a in
      b.withContiguousStorageIfAvailable { b in
        guard let start = a.baseAddress, let other = b.baseAddress else { return true }
        return memcmp(start, other, a.count) == 0
      }
    }
    return (isSame ?? nil) ?? a.elementsEqual(b)
  }

  package static func != (a: String, b: String) -> Bool { !(a == b) }

  package static func ~= (pattern: String, text: String) -> Bool { pattern == text }

  /// The order of Unicode scalars, which is that of UTF-8's bytes.
  @usableFromInline package static func < (a: String, b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  package func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  package func hasSuffix(_ suffix: String) -> Bool {
    utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

extension Array where Element == String {
  package static func == (a: [String], b: [String]) -> Bool { a.elementsEqual(b) { $0 == $1 } }

  package static func != (a: [String], b: [String]) -> Bool { !(a == b) }
}

extension Array where Element == String? {
  package static func == (a: [String?], b: [String?]) -> Bool { a.elementsEqual(b) { $0 == $1 } }
}

// PERF: inlinable, so that other modules have them for their own sequences; called as generic code, `contains` took two fifths of
// the reading of a mapping file.
extension Sequence where Element == String {
  @inlinable package func contains(_ text: String) -> Bool { contains { $0 == text } }

  /// In the order of Unicode scalars.
  @inlinable package func sorted() -> [String] { sorted { $0 < $1 } }
}

extension Collection where Element == String {
  @inlinable package func firstIndex(of text: String) -> Index? { firstIndex { $0 == text } }
}

// These operators of the standard library are generic. If one side is a literal, only functions outside of types take precedence.

package func == (a: String?, b: String?) -> Bool {
  switch (a, b) {
  case (nil, nil): true
  case (let a?, let b?): a == b
  default: false
  }
}

package func != (a: String?, b: String?) -> Bool { !(a == b) }
package func == (a: String?, b: String) -> Bool { a.map { $0 == b } ?? false }
package func != (a: String?, b: String) -> Bool { !(a == b) }
package func == (a: String, b: String?) -> Bool { b == a }
package func != (a: String, b: String?) -> Bool { !(b == a) }
package func ~= (pattern: String, text: String?) -> Bool { text == pattern }

package func == (a: [String]?, b: [String]?) -> Bool {
  switch (a, b) {
  case (nil, nil): true
  case (let a?, let b?): a == b
  default: false
  }
}

package func != (a: [String]?, b: [String]?) -> Bool { !(a == b) }

package func == (a: Substring, b: Substring) -> Bool { a.utf8.elementsEqual(b.utf8) }
package func == (a: Substring, b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
