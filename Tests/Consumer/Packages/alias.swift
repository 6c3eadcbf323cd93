// swift-tools-version: 6.2
import PackageDescription

// A client's package with the aliases of the README, in the shapes where SwiftPM keeps them; `check.sh` builds it.
#if os(Linux)
let aliases = ["Security": "PassSecurity", "PasswordStore": "PassStore"]
#else
let aliases: [String: String] = [:]
#endif
let security = Target.Dependency.product(
    name: "Security",
    package: "passchain",
    moduleAliases: aliases,
    condition: .when(platforms: [.linux])
)

let package = Package(
    name: "alias",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../passchain")],
    targets: [
        .executableTarget(name: "App", dependencies: [security]),
        .executableTarget(name: "SecuritySample", dependencies: [security]),
        .target(name: "Wallet", dependencies: [security]),
        .testTarget(name: "WalletTests", dependencies: ["Wallet"]),
        // Targets with the names of ours. The one that Security needs has an alias.
        .executableTarget(name: "Named", dependencies: ["PasswordStore", "TestSupport", security]),
        .target(name: "PasswordStore"),
        .target(name: "TestSupport"),
        // No dependency of passchain's.
        .executableTarget(name: "Other"),
    ]
)
