/// The version of the package: the one place that names it.
///
/// `scripts/check versions` holds CHANGELOG.md to it, `scripts/release` tags it.
package enum Version {
  package static let current = "0.1.0"
}
