// swift-tools-version: 6.2
import PackageDescription

// The rooms and their order stand in README.md, "How it is built". An arrow never goes up or sideways.

/// Rooms where C and pointers live.
let base: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
/// Rooms without a pointer: an unsafe construct there is a compile error.
let pointerFree = base + [.strictMemorySafety()]

let package = Package(
    name: "passchain",
    products: [
        .library(name: "PasswordStore", targets: ["PasswordStore"]),
        .library(name: "GPGME", targets: ["GPGME"]),
    ],
    targets: [
        // Libraries of C.
        .systemLibrary(name: "CGPGME", pkgConfig: "gpgme", providers: [.apt(["libgpgme-dev"])]),
        .systemLibrary(name: "CGcrypt", pkgConfig: "libgcrypt", providers: [.apt(["libgcrypt20-dev"])]),
        .target(name: "CUnix"),

        // The rooms, from the leaves up.
        .target(name: "SecretMemory", swiftSettings: base),
        .target(name: "Unix", dependencies: ["CUnix", "SecretMemory"], swiftSettings: base),
        .target(name: "GPGME", dependencies: ["CGPGME", "SecretMemory"], swiftSettings: base),
        .target(name: "OneTimePassword", dependencies: ["CGcrypt", "SecretMemory"], swiftSettings: base),
        .target(name: "CommandGrammar", swiftSettings: pointerFree),
        .target(
            name: "PasswordStore",
            dependencies: ["GPGME", "Unix", "SecretMemory"],
            swiftSettings: pointerFree
        ),
        .target(
            name: "PassCommands",
            dependencies: [
                "CommandGrammar", "OneTimePassword", "PasswordStore", "GPGME", "Unix", "SecretMemory",
            ],
            swiftSettings: pointerFree
        ),
        .executableTarget(name: "passchain", dependencies: ["PassCommands", "Unix"], swiftSettings: base),

        // Tests: what they share, a target for each room, and the built tool as a whole.
        .target(
            name: "TestSupport",
            dependencies: ["Unix"],
            path: "Tests/TestSupport",
            swiftSettings: base
        ),
        .testTarget(name: "SecretMemoryTests", dependencies: ["SecretMemory"], swiftSettings: base),
        .testTarget(
            name: "UnixTests",
            dependencies: ["Unix", "SecretMemory", "TestSupport"],
            swiftSettings: base
        ),
        .testTarget(
            name: "GPGMETests",
            dependencies: ["GPGME", "SecretMemory", "TestSupport"],
            swiftSettings: base
        ),
        .testTarget(
            name: "OneTimePasswordTests",
            dependencies: ["OneTimePassword", "SecretMemory"],
            swiftSettings: base
        ),
        .testTarget(name: "CommandGrammarTests", dependencies: ["CommandGrammar"], swiftSettings: base),
        .testTarget(
            name: "PasswordStoreTests",
            dependencies: ["PasswordStore", "GPGME", "Unix", "SecretMemory", "TestSupport"],
            swiftSettings: base
        ),
        .testTarget(
            name: "PassCommandsTests",
            dependencies: [
                "CommandGrammar", "OneTimePassword", "PassCommands", "PasswordStore", "SecretMemory", "TestSupport",
                "Unix", "passchain",
            ],
            swiftSettings: base
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["TestSupport", "passchain"],
            exclude: ["Golden", "Scripts", "session.bash"],
            swiftSettings: base
        ),
    ]
)

// MARK: The keychain

// Apple's systems have their own Security: there the product exists and holds nothing, so that the same Package.swift
// of a client serves both, and `import Security` finds Apple's.
#if os(Linux)
let security = "Security"
package.targets += [
    .target(
        name: security,
        dependencies: ["PasswordStore", "GPGME", "Unix", "SecretMemory"],
        swiftSettings: pointerFree
    ),
    .testTarget(
        name: "SecurityTests",
        dependencies: ["Security", "PasswordStore", "GPGME", "Unix", "SecretMemory", "TestSupport"],
        swiftSettings: base
    ),
]
#else
let security = "SystemSecurity"
package.targets += [.target(name: security)]
#endif
package.products += [.library(name: "Security", targets: [security])]
