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
        // Each with the rooms whose types its own take and give.
        .library(name: "PasswordStore", targets: ["PasswordStore", "Unix", "SecretMemory"]),
        .library(name: "GPGME", targets: ["GPGME", "SecretMemory"]),
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
        // For development: prints the completions and the manual page.
        .executableTarget(
            name: "passchain-docs",
            dependencies: ["CommandGrammar", "PassCommands", "PasswordStore", "Unix"],
            swiftSettings: base
        ),

        // Tests: what they share, a target for each room, and the built tool as a whole.
        .target(
            name: "TestSupport",
            dependencies: ["SecretMemory", "Unix"],
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
            dependencies: ["OneTimePassword", "SecretMemory", "TestSupport"],
            swiftSettings: base
        ),
        .testTarget(
            name: "CommandGrammarTests",
            dependencies: ["CommandGrammar", "TestSupport", "passchain-docs"],
            swiftSettings: base
        ),
        .testTarget(
            name: "PasswordStoreTests",
            dependencies: ["PasswordStore", "GPGME", "Unix", "SecretMemory", "TestSupport"],
            swiftSettings: base
        ),
        .testTarget(
            name: "PassCommandsTests",
            dependencies: [
                "CommandGrammar", "OneTimePassword", "PassCommands", "PasswordStore", "SecretMemory",
                "TestSupport", "Unix", "passchain",
            ],
            swiftSettings: base
        ),
        .testTarget(
            name: "ClientTests",
            dependencies: ["TestSupport", "Unix", "passchain"],
            exclude: ["install-clients.sh"],
            swiftSettings: base
        ),
        .testTarget(
            name: "FaultTests",
            dependencies: ["TestSupport", "Unix", "SecretMemory", "passchain"],
            exclude: ["cases.md"],
            swiftSettings: base
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "CommandGrammar", "GPGME", "OneTimePassword", "PassCommands", "PasswordStore", "SecretMemory",
                "TestSupport", "Unix",
            ],
            exclude: ["Corpus"],
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
        dependencies: ["CGcrypt", "PasswordStore", "GPGME", "Unix", "SecretMemory"],
        swiftSettings: pointerFree
    ),
    .testTarget(
        name: "SecurityTests",
        dependencies: [
            "Security", "PasswordStore", "GPGME", "Unix", "SecretMemory", "TestSupport", "keychain-bench",
        ],
        exclude: ["cases.md"],
        swiftSettings: base
    ),
    // The same programs in both language modes, with the settings of a client that has none.
    .target(
        name: "ClientIdioms5",
        dependencies: ["Security"],
        path: "Tests/ClientIdioms/Mode5",
        swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .target(
        name: "ClientIdioms6",
        dependencies: ["Security"],
        path: "Tests/ClientIdioms/Mode6",
        swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    // Part of `make bench`: what the keychain costs beside bare gpg.
    .executableTarget(
        name: "keychain-bench",
        dependencies: ["Security", "TestSupport"],
        path: "Tests/KeychainBench",
        swiftSettings: base
    ),
    .testTarget(
        name: "KeychainKitTests",
        dependencies: ["KeychainKit", "Security", "ClientIdioms5", "ClientIdioms6", "TestSupport"],
        swiftSettings: base
    ),
]
let keychainKitDependencies: [Target.Dependency] = ["Security"]
#else
let security = "SystemSecurity"
let keychainKitDependencies: [Target.Dependency] = []
package.targets += [.target(name: security)]
#endif
package.targets += [
    .target(name: "KeychainKit", dependencies: keychainKitDependencies, swiftSettings: base)
]
// What KeychainKit needs on Apple's systems.
package.platforms = [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)]
package.products += [
    .library(name: "Security", targets: [security]),
    .library(name: "KeychainKit", targets: ["KeychainKit"]),
]
