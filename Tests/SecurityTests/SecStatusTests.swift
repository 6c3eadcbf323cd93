import Foundation
import Security
import Testing

/// Every status has Apple's number and a message.
@Suite struct SecStatusTests {
    static let statuses: [(OSStatus, OSStatus)] = [
        (errSecSuccess, 0),
        (errSecUnimplemented, -4),
        (errSecDiskFull, -34),
        (errSecIO, -36),
        (errSecOpWr, -49),
        (errSecParam, -50),
        (errSecWrPerm, -61),
        (errSecAllocate, -108),
        (errSecUserCanceled, -128),
        (errSecBadReq, -909),
        (errSecInternalComponent, -2070),
        (errSecCoreFoundationUnknown, -4960),
        (errSecMissingEntitlement, -34018),
        (errSecRestrictedAPI, -34020),
        (errSecNotAvailable, -25291),
        (errSecReadOnly, -25292),
        (errSecAuthFailed, -25293),
        (errSecNoSuchKeychain, -25294),
        (errSecInvalidKeychain, -25295),
        (errSecDuplicateKeychain, -25296),
        (errSecDuplicateCallback, -25297),
        (errSecInvalidCallback, -25298),
        (errSecDuplicateItem, -25299),
        (errSecItemNotFound, -25300),
        (errSecBufferTooSmall, -25301),
        (errSecDataTooLarge, -25302),
        (errSecNoSuchAttr, -25303),
        (errSecInvalidItemRef, -25304),
        (errSecInvalidSearchRef, -25305),
        (errSecNoSuchClass, -25306),
        (errSecNoDefaultKeychain, -25307),
        (errSecInteractionNotAllowed, -25308),
        (errSecReadOnlyAttr, -25309),
        (errSecWrongSecVersion, -25310),
        (errSecKeySizeNotAllowed, -25311),
        (errSecNoStorageModule, -25312),
        (errSecNoCertificateModule, -25313),
        (errSecNoPolicyModule, -25314),
        (errSecInteractionRequired, -25315),
        (errSecDataNotAvailable, -25316),
        (errSecDataNotModifiable, -25317),
        (errSecCreateChainFailed, -25318),
        (errSecInvalidPrefsDomain, -25319),
        (errSecInDarkWake, -25320),
        (errSecACLNotSimple, -25240),
        (errSecPolicyNotFound, -25241),
        (errSecInvalidTrustSetting, -25242),
        (errSecNoAccessForItem, -25243),
        (errSecInvalidOwnerEdit, -25244),
        (errSecTrustNotAvailable, -25245),
        (errSecUnsupportedFormat, -25256),
        (errSecUnknownFormat, -25257),
        (errSecKeyIsSensitive, -25258),
        (errSecMultiplePrivKeys, -25259),
        (errSecPassphraseRequired, -25260),
        (errSecInvalidPasswordRef, -25261),
        (errSecInvalidTrustSettings, -25262),
        (errSecNoTrustSettings, -25263),
        (errSecPkcs12VerifyFailure, -25264),
        (errSecNotSigner, -26267),
        (errSecDecode, -26275),
        (errSecServiceNotAvailable, -67585),
        (errSecInsufficientClientID, -67586),
        (errSecDeviceReset, -67587),
        (errSecDeviceFailed, -67588),
        (errSecConversionError, -67594),
        (errSecQuotaExceeded, -67596),
        (errSecFileTooBig, -67597),
        (errSecInvalidDatabaseBlob, -67598),
        (errSecIncompatibleDatabaseBlob, -67600),
        (errSecEndOfData, -67634),
        (errSecNetworkFailure, -67636),
        (errSecRecordModified, -67638),
        (errSecInternalError, -67671),
        (errSecMemoryError, -67672),
        (errSecInvalidData, -67673),
        (errSecInvalidPointer, -67675),
        (errSecFunctionFailed, -67677),
        (errSecInvalidHandle, -67680),
        (errSecInvalidPassthroughID, -67682),
        (errSecUnknownTag, -67687),
        (errSecInvalidSignature, -67688),
        (errSecInvalidName, -67689),
        (errSecInvalidQuery, -67693),
        (errSecInvalidValue, -67694),
        (errSecCallbackFailed, -67695),
        (errSecInvalidAccessCredentials, -67700),
        (errSecInvalidRecord, -67701),
        (errSecInvalidACL, -67702),
        (errSecIncompatibleVersion, -67704),
        (errSecPrivilegeNotGranted, -67705),
        (errSecNotLoggedIn, -67729),
        (errSecVerifyFailed, -67808),
        (errSecInsufficientCredentials, -67822),
        (errSecInvalidIdentifier, -67833),
        (errSecInvalidIndex, -67834),
        (errSecInvalidTimeString, -67836),
        (errSecRequestLost, -67846),
        (errSecRequestRejected, -67847),
        (errSecUnsupportedService, -67849),
        (errSecInvalidEncoding, -67853),
        (errSecDatabaseLocked, -67869),
        (errSecDatastoreIsOpen, -67870),
        (errSecMissingValue, -67871),
        (errSecUnsupportedQueryLimits, -67872),
        (errSecUnsupportedOperator, -67874),
        (errSecInvalidDBLocation, -67875),
        (errSecInvalidAccessRequest, -67876),
        (errSecInvalidModifyMode, -67879),
    ]

    @Test func everyStatusHasApplesNumberAndAMessage() {
        for (status, number) in Self.statuses {
            #expect(status == number)
            let message = SecCopyErrorMessageString(status, nil) as String?
            #expect(message?.isEmpty == false)
            #expect(message?.hasPrefix("OSStatus") == false, "\(number)")
        }
    }

    @Test func everyNumberIsThereOnce() {
        #expect(Set(Self.statuses.map(\.1)).count == Self.statuses.count)
    }

    @Test(
        arguments: [
            (errSecSuccess, "No error."),
            (errSecItemNotFound, "The specified item could not be found in the keychain."),
            (errSecDuplicateItem, "The specified item already exists in the keychain."),
            (errSecAuthFailed, "The user name or passphrase you entered is not correct."),
            (errSecMissingEntitlement, "A required entitlement isn't present."),
            (errSecInternalComponent, "errSecInternalComponent"),
            (1, "OSStatus 1"), (-99_999, "OSStatus -99999"), (.max, "OSStatus 2147483647"),
            (.min, "OSStatus -2147483648"),
        ] as [(OSStatus, String)]
    )
    func messages(_ status: OSStatus, _ message: String) {
        #expect(SecCopyErrorMessageString(status, nil) as String? == message)
    }
}
