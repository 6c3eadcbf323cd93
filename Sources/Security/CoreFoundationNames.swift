public import Foundation

// The names of Core Foundation that code written for the keychain uses. On Linux they are Foundation's own classes.

/// A string, as keys and values of a query are.
public typealias CFString = NSString
/// A query, attributes or an answer.
public typealias CFDictionary = NSDictionary
/// An answer of several items.
public typealias CFArray = NSArray
/// Bytes.
public typealias CFData = NSData
/// A point in time.
public typealias CFDate = NSDate
/// True or false.
public typealias CFBoolean = NSNumber
/// A number.
public typealias CFNumber = NSNumber
/// What went wrong, with a domain and a code.
public typealias CFError = NSError
/// A set of flags.
public typealias CFOptionFlags = UInt
/// Any object: what a query answers.
public typealias CFTypeRef = NSObject
/// Where memory would come from; there is only `kCFAllocatorDefault`.
public typealias CFAllocator = NSObject
/// A status; `errSecSuccess` is 0.
public typealias OSStatus = Int32

/// The status that says that nothing went wrong.
public let noErr: OSStatus = 0

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
// Apple's headers import so, and callers write both `kCFBooleanTrue` and `kCFBooleanTrue!`.
/// True.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// False.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The usual allocator, which is none at all.
public nonisolated(unsafe) let kCFAllocatorDefault: CFAllocator! = nil

/// The domain of `error`.
public func CFErrorGetDomain(_ error: CFError) -> CFString { NSString(string: error.domain) }

/// The code of `error`.
public func CFErrorGetCode(_ error: CFError) -> Int { error.code }

/// What `error` says beside its domain and code.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary {
    NSDictionary(dictionary: error.userInfo)
}

/// What `error` says to people.
public func CFErrorCopyDescription(_ error: CFError) -> CFString {
    NSString(string: error.localizedDescription)
}

extension NSObject {
    /// The value for `key` when this is a dictionary, and nil when it is anything else.
    ///
    /// On Apple's systems an answer is an `AnyObject`, and so `answer[kSecValueData as String]` compiles.
    @_disfavoredOverload
    public subscript(key: String) -> Any? { (self as? NSDictionary)?.object(forKey: NSString(string: key)) }
}

extension NSMutableDictionary {
    /// Sets the value for `key`, or removes it when `value` is nil.
    ///
    /// Apple's Foundation has this as key-value coding; Foundation on Linux does not.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let value else { return removeObject(forKey: NSString(string: key)) }
        setObject(value, forKey: NSString(string: key))
    }
}
