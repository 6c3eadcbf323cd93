// swift-tools-version: 6.2
import PackageDescription

// A client's package without an alias, in the shapes that packages have; `check.sh` builds it. The sources of the
// samples are the README's own.
let security = Target.Dependency.product(
    name: "Security",
    package: "passchain",
    condition: .when(platforms: [.linux])
)
let keychainKit = Target.Dependency.product(name: "KeychainKit", package: "passchain")
let libraries = ["PasswordStore", "GPGME"].map { name in
    Target.Dependency.product(name: name, package: "passchain")
}
let mode5: [SwiftSetting] = [.swiftLanguageMode(.v5)]

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../passchain")],
    targets: [
        // Programs, in both language modes.
        .executableTarget(name: "App", dependencies: [security]),
        .executableTarget(name: "SecuritySample", dependencies: [security]),
        .executableTarget(name: "SecuritySample5", dependencies: [security], swiftSettings: mode5),
        .executableTarget(name: "KeychainKitSample", dependencies: [keychainKit]),
        .executableTarget(name: "KeychainKitSample5", dependencies: [keychainKit], swiftSettings: mode5),
        .executableTarget(name: "Libraries", dependencies: libraries),
        // Both products in one target.
        .executableTarget(name: "Both", dependencies: [security, keychainKit]),
        // A library with several test targets; one of them names the product itself.
        .target(name: "Wallet", dependencies: [security]),
        .testTarget(name: "WalletTests", dependencies: ["Wallet"]),
        .testTarget(name: "WalletXCTests", dependencies: ["Wallet", security]),
        // The same on KeychainKit.
        .target(name: "Purse", dependencies: [keychainKit], swiftSettings: mode5),
        .testTarget(name: "PurseTests", dependencies: ["Purse"]),
        .testTarget(name: "PurseMoreTests", dependencies: ["Purse"], swiftSettings: mode5),
        // Libraries on libraries, and a program on top, all of which name the product.
        .target(name: "Vault", dependencies: ["Wallet", security]),
        .target(name: "Bank", dependencies: ["Vault", "Wallet", security]),
        .executableTarget(name: "Teller", dependencies: ["Bank", "Purse", security]),
        // No dependency of passchain's.
        .executableTarget(name: "Other"),
    ]
)
