public import Foundation

// Every constant is an immutable NSString, which Foundation on Linux does not declare Sendable: hence
// `nonisolated(unsafe)` throughout. The values are Apple's (SecItemConstants.c).

// MARK: Accessible

/// Accessible: while the device is unlocked.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Accessible: from the first unlocking on.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Accessible: always.
public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// Accessible: while unlocked, on a device with a passcode.
public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// Accessible: while unlocked, on this device.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// Accessible: from the first unlocking on, on this device.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Accessible: always, on this device.
public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// Accessible: until the next start.
public nonisolated(unsafe) let kSecAttrAccessibleUntilReboot: CFString = "f"

// MARK: Protocols

/// Protocol: FTP.
public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
/// Protocol: FTPAccount.
public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// Protocol: HTTP.
public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
/// Protocol: IRC.
public nonisolated(unsafe) let kSecAttrProtocolIRC: CFString = "irc "
/// Protocol: NNTP.
public nonisolated(unsafe) let kSecAttrProtocolNNTP: CFString = "nntp"
/// Protocol: POP3.
public nonisolated(unsafe) let kSecAttrProtocolPOP3: CFString = "pop3"
/// Protocol: SMTP.
public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
/// Protocol: SOCKS.
public nonisolated(unsafe) let kSecAttrProtocolSOCKS: CFString = "sox "
/// Protocol: IMAP.
public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"
/// Protocol: LDAP.
public nonisolated(unsafe) let kSecAttrProtocolLDAP: CFString = "ldap"
/// Protocol: AppleTalk.
public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// Protocol: AFP.
public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "
/// Protocol: Telnet.
public nonisolated(unsafe) let kSecAttrProtocolTelnet: CFString = "teln"
/// Protocol: SSH.
public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
/// Protocol: FTPS.
public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"
/// Protocol: HTTPS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
/// Protocol: HTTPProxy.
public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// Protocol: HTTPSProxy.
public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// Protocol: FTPProxy.
public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// Protocol: SMB.
public nonisolated(unsafe) let kSecAttrProtocolSMB: CFString = "smb "
/// Protocol: RTSP.
public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"
/// Protocol: RTSPProxy.
public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// Protocol: DAAP.
public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"
/// Protocol: EPPC.
public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"
/// Protocol: IPP.
public nonisolated(unsafe) let kSecAttrProtocolIPP: CFString = "ipp "
/// Protocol: NNTPS.
public nonisolated(unsafe) let kSecAttrProtocolNNTPS: CFString = "ntps"
/// Protocol: LDAPS.
public nonisolated(unsafe) let kSecAttrProtocolLDAPS: CFString = "ldps"
/// Protocol: TelnetS.
public nonisolated(unsafe) let kSecAttrProtocolTelnetS: CFString = "tels"
/// Protocol: IMAPS.
public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
/// Protocol: IRCS.
public nonisolated(unsafe) let kSecAttrProtocolIRCS: CFString = "ircs"
/// Protocol: POP3S.
public nonisolated(unsafe) let kSecAttrProtocolPOP3S: CFString = "pops"

// MARK: Authentication types

/// Authentication type: NTLM.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// Authentication type: MSN.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// Authentication type: DPA.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// Authentication type: RPA.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
/// Authentication type: HTTPBasic.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// Authentication type: HTTPDigest.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// Authentication type: HTMLForm.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// Authentication type: Default.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"

// MARK: Keys, tokens

/// Key class: Public.
public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// Key class: Private.
public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// Key class: Symmetric.
public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
/// Key type: RSA.
public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// Key type: DSA.
public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// Key type: AES.
public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// Key type: DES.
public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// Key type: 3DES.
public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// Key type: RC4.
public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// Key type: RC2.
public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// Key type: CAST.
public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"
/// Key type: ECDSA.
public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// Key type: EC.
public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// Key type: ECSECPrimeRandom.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// Pseudo-random function: HMAC with SHA1.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// Pseudo-random function: HMAC with SHA224.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// Pseudo-random function: HMAC with SHA256.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// Pseudo-random function: HMAC with SHA384.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// Pseudo-random function: HMAC with SHA512.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
/// Token: SecureEnclave.
public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// Access group: Token.
public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// Attributes of the private key of a pair.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// Attributes of the public key of a pair.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
