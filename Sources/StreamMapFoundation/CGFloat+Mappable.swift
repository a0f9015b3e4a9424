import Foundation
import StreamMap

// On Linux all of Foundation declares CGFloat, and FoundationEssentials does not.

extension CGFloat: Mappable {
  /// A number, read and written as `Mapping.double` does.
  public static var mapping: Mapping<CGFloat> {
    .converted(from: .double, { CGFloat($0) }, reverse: { Double($0) })
  }
}
