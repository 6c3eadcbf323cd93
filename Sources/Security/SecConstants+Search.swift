public import Foundation

// Every constant is an immutable NSString, which Foundation on Linux does not declare Sendable: hence
// `nonisolated(unsafe)` throughout. The values are Apple's (SecItemConstants.c).

// MARK: Search

/// Search: SecPolicy.
public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// Search: Array; for legacy keychains of macOS.
public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// Search: Array of SecKeychain; for legacy keychains of macOS.
public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// Search: Array of Data.
public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// Search: String.
public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// Search: String; without effect on passwords.
public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// Search: String; inet only, that server or one below it.
public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// Search: String; without effect on passwords.
public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// Search: String; without effect on passwords.
public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// Search: String; without effect on passwords.
public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// Search: Bool.
public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Search: Bool; without effect on passwords.
public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Search: Bool; without effect on passwords.
public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// Search: Bool.
public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// Search: Date or Null (= now).
public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// Search: Number, or `kSecMatchLimitOne` or `…All`.
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// A value of `kSecMatchLimit`.
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// A value of `kSecMatchLimit`.
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"

// MARK: Results and values

/// Result: Bool.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// Result: Bool.
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// Result: Bool.
public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// Result: Bool.
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// Value: Data.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// Value: SecKey / SecCertificate / SecIdentity / SecKeychainItem.
public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// Value: Data.
public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"

// MARK: Use

/// Use: Array.
public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// Use: SecKeychain; without effect on passwords.
public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// Use: String.
public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Use: Bool.
public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Use: One of the three values below.
public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// A value of `kSecUseAuthenticationUI`.
public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// A value of `kSecUseAuthenticationUI`.
public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// A value of `kSecUseAuthenticationUI`, for copying only.
public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// Use: LAContext.
public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Use: Bool.
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// Use: Bool, tvOS only.
public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
