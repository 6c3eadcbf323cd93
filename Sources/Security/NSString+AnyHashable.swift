public import Foundation

/// Makes `AnyHashable(NSString)` equal to `AnyHashable(String)`, as it is on Apple's systems.
///
/// `attributes[kSecAttrAccount]` on `[AnyHashable: Any]` needs it. This conformance must go the day that Foundation
/// on Linux has it itself; the compiler will then say so.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The `AnyHashable` of the same string as a Swift `String`.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(String(self)) }
}
