// swift-tools-version: 6.2
import PackageDescription

// A package that depends on one that depends on passchain, and on passchain too.
let wallet = Target.Dependency.product(name: "Wallet", package: "plain")
let keychainKit = Target.Dependency.product(name: "KeychainKit", package: "passchain")

let package = Package(
    name: "nested",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../plain"), .package(path: "../passchain")],
    targets: [
        .executableTarget(name: "Far", dependencies: [wallet]),
        .executableTarget(name: "Near", dependencies: [wallet, keychainKit]),
        .testTarget(name: "FarTests", dependencies: ["Far", wallet]),
        .testTarget(name: "NearTests", dependencies: ["Near", wallet]),
    ]
)
