internal import Foundation
internal import SecretMemory

extension ItemQuery {
    /// Checks a caller's dictionary.
    ///
    /// - Throws: `errSecParam`, `errSecNoSuchAttr`, `errSecNoSuchClass`, `errSecMissingEntitlement` or
    ///   `errSecUnimplemented`.
    init(_ dictionary: NSDictionary, for operation: Operation) throws(StatusError) {
        let given = try QueryDictionary(dictionary)
        let reference = try Self.reference(in: given)
        self.init(operation: operation, itemClass: try Self.itemClass(in: given, reference: reference))
        // A new item's reference is made, whatever was given.
        self.reference = operation == .add ? nil : reference
        synchronizable = self.reference == nil ? false : nil
        for (key, value) in given.entries {
            do throws(StatusError) {
                try take(key, value, beside: given)
            } catch {
                throw error.about(key)
            }
        }
        if operation == .copy, self.reference != nil, !values.isEmpty || group != nil {
            throw StatusError(errSecParam, "v_PersistentRef: it stands beside attributes")
        }
        if operation == .add {
            let makesSynchronizable = synchronizable == true
            try AccessRule.reconcile(&values, synchronizable: makesSynchronizable)
        }
    }

    private mutating func take(
        _ key: String,
        _ value: GivenValue,
        beside given: QueryDictionary
    ) throws(StatusError) {
        switch QueryDictionary.shape(of: key) {
        case .itemClass: break
        case .attribute: try take(attribute: key, value)
        case .match: try take(match: key, value)
        case .result: try take(result: key, value)
        case .use: try take(use: key, value, beside: given)
        case .value: try take(valueKey: key, value)
        case nil: throw StatusError(errSecParam, "there is no such key")
        }
    }

    private static func reference(in given: QueryDictionary) throws(StatusError) -> PersistentReference? {
        guard let value = given["v_PersistentRef"] else { return nil }
        guard case .data(let data) = value else {
            throw StatusError(errSecParam, "v_PersistentRef: the value is no data")
        }
        return try PersistentReference(data)
    }

    private static func itemClass(
        in given: QueryDictionary,
        reference: PersistentReference?
    ) throws(StatusError) -> ItemClass {
        guard case .text(let name)? = given["class"] else {
            guard let reference else { throw StatusError(errSecParam, "class: it is missing, or no string") }
            return reference.itemClass
        }
        guard let itemClass = ItemClass(rawValue: String(decoding: name, as: UTF8.self)),
            reference == nil || reference?.itemClass == itemClass
        else {
            throw StatusError(
                errSecNoSuchClass,
                "class: there is none of this name, or the reference has another"
            )
        }
        return itemClass
    }
}

// MARK: Attributes

extension ItemQuery {
    private mutating func take(attribute key: String, _ value: GivenValue) throws(StatusError) {
        switch key {
        case "clip": throw StatusError(errSecParam)
        // kSecUseDataProtectionKeychain: there is no other keychain.
        case "nleg": return
        default: break
        }
        guard let code = AttributeCode(rawValue: key), let line = itemClass.attribute(code) else {
            throw StatusError(errSecNoSuchAttr)
        }
        // As the front end of macOS does.
        if code == .modified, operation != .add { return }
        if code == .synchronizable, reference != nil { return }
        switch code {
        case .group:
            group = try Self.group(value)
        case .synchronizable:
            let only = try Self.synchronizable(value)
            // A new item must be one or the other.
            synchronizable = operation == .add ? only ?? false : only
        default:
            values[code] = try AttributeValue(value, as: line.kind)
        }
        // An access control is never a filter.
        if code == .accessControl, operation != .add { values[code] = nil }
    }

    /// The name of an access group.
    ///
    /// - Throws: `errSecMissingEntitlement` for what cannot be one, as nobody has it.
    static func group(_ value: GivenValue) throws(StatusError) -> [UInt8] {
        guard let name = try? AttributeValue(value, as: .string), !name.bytes.isEmpty else {
            throw StatusError(errSecMissingEntitlement)
        }
        return name.bytes
    }

    /// True, false, or nil for `kSecAttrSynchronizableAny`.
    static func synchronizable(_ value: GivenValue) throws(StatusError) -> Bool? {
        switch try AttributeValue(value, as: .number) {
        case .number(0): false
        case .number(1): true
        case .text(Array("syna".utf8)): nil
        default: throw StatusError(errSecParam)
        }
    }
}

// MARK: Everything else

extension ItemQuery {
    private mutating func take(match key: String, _ value: GivenValue) throws(StatusError) {
        switch (key, operation) {
        // Ways of old keychains to name items. Passing over one of them would widen what is changed or removed.
        case ("m_ItemList", _), ("m_SearchList", _): throw StatusError(errSecParam)
        case ("m_HostOrSubdomainOfHost", .update), ("m_HostOrSubdomainOfHost", .delete):
            throw StatusError(errSecParam)
        case (_, .add), (_, .update), (_, .delete): return
        case ("m_Limit", .copy): limit = try Self.limit(value)
        case ("m_HostOrSubdomainOfHost", .copy):
            guard case .text(let name) = value else { throw StatusError(errSecParam) }
            guard itemClass == .internetPassword else { throw StatusError(errSecUnimplemented) }
            host = name
        case ("m_Policy", .copy), ("m_Issuers", .copy): throw StatusError(errSecUnimplemented)
        case ("m_ValidOnDate", .copy): try check(matchForCertificates: value) { $0.isDateOrNull }
        case ("m_TrustedOnly", .copy): try check(matchForCertificates: value) { $0.truth != nil }
        case ("m_EmailAddressIfPresent", .copy): try check(matchForCertificates: value) { $0.isText }
        // Case-insensitive and the like have no effect on passwords, and unknown keys have none at all.
        case (_, .copy): return
        }
    }

    /// Keys that judge certificates: passwords pass, and certificates are only data here.
    private func check(
        matchForCertificates value: GivenValue,
        _ isWellTyped: (GivenValue) -> Bool
    ) throws(StatusError) {
        guard isWellTyped(value) else { throw StatusError(errSecParam) }
        guard itemClass.isPassword || value.truth == false else { throw StatusError(errSecUnimplemented) }
    }

    private static func limit(_ value: GivenValue) throws(StatusError) -> Limit {
        switch value {
        case .text(Array("m_LimitOne".utf8)), .number(1): .one
        case .text(Array("m_LimitAll".utf8)): .array(nil)
        case .number(0): .nothing
        case .number(let count): .array(count < 0 ? nil : Int(count))
        default: throw StatusError(errSecParam)
        }
    }

    private mutating func take(result key: String, _ value: GivenValue) throws(StatusError) {
        let keys: [String: Wanted] = [
            "r_Data": .data, "r_Attributes": .attributes, "r_Ref": .reference,
            "r_PersistentRef": .persistentReference,
        ]
        guard let one = keys[key] else { throw StatusError(errSecParam) }
        guard operation == .add || operation == .copy else { return }
        guard let isWanted = value.truth else { throw StatusError(errSecParam) }
        if isWanted { wanted.insert(one) }
    }

    private mutating func take(
        use key: String,
        _ value: GivenValue,
        beside given: QueryDictionary
    ) throws(StatusError) {
        switch key {
        case "u_AuthUI": try take(authenticationUI: value)
        case "u_NoAuthUI": if value.truth == true { prompting = .refused }
        case "u_AuthCtx": if given["u_CredRef"] != nil { throw StatusError(errSecParam) }
        case "u_OpPrompt", "u_CallerName", "u_CredRef", "u_Tomb", "u_UserIndependentKeychain",
            "u_SystemKeychain", "u_SystemKeychainAlways", "u_SyncBubbleKeychain", "u_TokenRawItems",
            "u_CertWithIssuers":
            break
        default: throw StatusError(errSecParam)
        }
    }

    private mutating func take(authenticationUI value: GivenValue) throws(StatusError) {
        guard case .text(let name) = value else { throw StatusError(errSecParam) }
        switch String(decoding: name, as: UTF8.self) {
        case "u_AuthUIF": prompting = .refused
        case "u_AuthUIS":
            guard operation == .copy else { throw StatusError(errSecParam) }
            prompting = .skipped
        default: break
        }
    }

    private mutating func take(valueKey key: String, _ value: GivenValue) throws(StatusError) {
        switch key {
        case "v_PersistentRef": return
        case "v_Data":
            guard operation == .add else { return }
            guard let secret = value.secret else { throw StatusError(errSecParam) }
            self.secret = secret
        // There are no objects for keys, certificates and identities.
        default: throw StatusError(errSecParam)
        }
    }
}

extension GivenValue {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    fileprivate var isDateOrNull: Bool {
        switch self {
        case .date, .null: true
        default: false
        }
    }
}
