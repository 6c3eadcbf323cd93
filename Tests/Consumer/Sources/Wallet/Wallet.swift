import Foundation
import Security

/// The words of a status.
public func words(of status: OSStatus) -> String { SecCopyErrorMessageString(status, nil) as String? ?? "" }
