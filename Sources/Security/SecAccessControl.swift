public import Foundation

/// What must hold before an item can be used, beside the store's key.
///
/// It is kept with the item, returned and compared; it changes nothing about encryption.
public final class SecAccessControl: NSObject {
    let rule: AccessRule

    init(_ rule: AccessRule) { self.rule = rule }

    /// Whether `object` asks for the same.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecAccessControl)?.rule == rule
    }

    /// Equal for objects that ask for the same.
    public override var hash: Int { rule.hashValue }
}

/// What a `SecAccessControl` asks for.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: CFOptionFlags

    /// Makes the set of these bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// A finger, a face or the device's passcode.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// Any finger or face that the device knows.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// The older name of `biometryAny`.
    public static let touchIDAny = biometryAny
    /// The fingers or face that the device knows now.
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    /// The older name of `biometryCurrentSet`.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The device's passcode.
    public static let devicePasscode = Self(rawValue: 1 << 4)
    /// A watch nearby.
    public static let watch = Self(rawValue: 1 << 5)
    /// A companion device nearby.
    public static let companion = watch
    /// One of the constraints is enough.
    public static let or = Self(rawValue: 1 << 14)
    /// All of the constraints are needed.
    public static let and = Self(rawValue: 1 << 15)
    /// The key may sign and decrypt.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// A password of the application beside everything else.
    public static let applicationPassword = Self(rawValue: 1 << 31)
}

/// Makes an access control.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil.
///   - protection: one of `kSecAttrAccessible…`.
///   - flags: what else must hold.
///   - error: receives an error of `NSOSStatusErrorDomain` with `errSecParam` when nil is answered; the caller
///     owns it, as on Apple's systems.
/// - Returns: nil for an unknown protection, for `or` with `and`, for two kinds of biometry, and for `userPresence`
///   with anything but `applicationPassword` and `privateKeyUsage`.
/// - Source: SecAccessControl.m.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?,
    _ protection: AnyObject,
    _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    guard let name = protection as? NSString, let accessible = Accessible(rawValue: String(name)),
        flags.canGoTogether
    else {
        let failure = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam))
        if let error = unsafe error { unsafe error.pointee = Unmanaged.passRetained(failure) }
        return nil
    }
    return SecAccessControl(AccessRule(protection: accessible, flags: flags.rawValue))
}

extension SecAccessControlCreateFlags {
    fileprivate var canGoTogether: Bool {
        if contains([.or, .and]) || contains([.biometryAny, .biometryCurrentSet]) { return false }
        let besidePresence: Self = [.userPresence, .applicationPassword, .privateKeyUsage]
        return !contains(.userPresence) || isSubset(of: besidePresence)
    }
}
