// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation
import Security

/// Access controls, with the errors of Core Foundation.
public enum AccessControls {
    public static func make(_ protection: String, _ flags: SecAccessControlCreateFlags) -> (
        SecAccessControl?, Int?
    ) {
        var error: Unmanaged<CFError>?
        let control = SecAccessControlCreateWithFlags(
            kCFAllocatorDefault,
            protection as CFTypeRef,
            SecAccessControlCreateFlags(rawValue: CFOptionFlags(flags.rawValue)),
            &error
        )
        guard let failure = error?.takeUnretainedValue() else { return (control, nil) }
        let domain = CFErrorGetDomain(failure) as String
        return (control, domain == NSOSStatusErrorDomain ? CFErrorGetCode(failure) : nil)
    }

    public static func random(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess ? bytes : nil
    }
}
