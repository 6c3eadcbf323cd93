public import Foundation

/// What `status` means, in a sentence.
///
/// - Parameters:
///   - status: any status.
///   - reserved: nil.
/// - Returns: for an unknown status `OSStatus` and the number; never nil.
/// - Source: SecBase.c.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    NSString(string: statusMessages[status] ?? "OSStatus \(status)")
}
