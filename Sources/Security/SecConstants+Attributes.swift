public import Foundation

// Every constant is an immutable NSString, which Foundation on Linux does not declare Sendable: hence
// `nonisolated(unsafe)` throughout. The values are Apple's (SecItemConstants.c).

// MARK: Classes

/// The class of an item: one of `kSecClass…`.
public nonisolated(unsafe) let kSecClass: CFString = "class"
/// Class: a password for a service.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// Class: a password for a server.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// Class: a certificate.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// Class: a cryptographic key.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// Class: a certificate with its private key.
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"

// MARK: Attributes of passwords, and of every class

/// Attribute: one of `kSecAttrAccessible…`.
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// Attribute: a `SecAccessControl`.
public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// Attribute: a legacy access object of macOS; no class here has it.
public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// Attribute: String.
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// Attribute: Bool (returned as Number 0 or 1), or `kSecAttrSynchronizableAny` in a query.
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// A value of `kSecAttrSynchronizable` in a query: synchronizable or not.
public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// Attribute: Date, read-only at add.
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// Attribute: Date, read-only.
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// Attribute: String.
public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// Attribute: String.
public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// Attribute: Number (four-char code as UInt32).
public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// Attribute: Number (four-char code).
public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// Attribute: String.
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// Attribute: Bool (returned as Number 0 or 1).
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// Attribute: Bool (returned as Number 0 or 1).
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// Attribute: String (Data, Number also accepted).
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// Attribute: String (Data also).
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// Attribute: Data (String also).
public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// Attribute: String.
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// Attribute: String (Data also).
public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// Attribute: one of `kSecAttrProtocol…`.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// Attribute: one of `kSecAttrAuthenticationType…`.
public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// Attribute: Number (integer; decimal String also).
public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// Attribute: String.
public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
/// Attribute: String.
public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// Attribute: String.
public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// Name of a persistent reference; not usable in a query.
public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
/// The same name, as Apple also spells it.
public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"

// MARK: Attributes of certificates and keys

/// Attribute: Data.
public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// Attribute: Data.
public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// Attribute: Data.
public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// Attribute: Data.
public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// Attribute: Data.
public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"
/// Attribute: Number.
public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// Attribute: Number.
public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// Attribute: String value (stored as Number 0/1/2).
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// Attribute: Data (String for old symmetric keys).
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// Attribute: Data.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// Attribute: String value (stored as Number).
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// Attribute: String.
public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// Attribute: Data.
public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// Attribute: Number.
public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
/// Attribute: Number.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// Attribute: Number.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// Attribute: Bool.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"
