// swift-tools-version: 6.2
import PackageDescription

// A package of nothing but libraries, without tests; built as the root and as a dependency of `Nested`.
let security = Target.Dependency.product(
    name: "Security",
    package: "passchain",
    condition: .when(platforms: [.linux])
)

let package = Package(
    name: "SomethingElse",
    platforms: [.macOS(.v13)],
    products: [.library(name: "Wallet", targets: ["Wallet"])],
    dependencies: [.package(path: "../passchain")],
    targets: [
        .target(name: "Wallet", dependencies: [security]),
        .target(name: "Vault", dependencies: ["Wallet"]),
    ]
)
