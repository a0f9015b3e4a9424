/// The clocks of a time zone.
package protocol LocalClock: Sendable {
  /// The seconds by which they are ahead of UTC, so many seconds after 1970.
  func offset(at seconds: Int64) -> Int64
}
