// swift-tools-version: 6.2
import PackageDescription

// A client's package, in the forms that the README shows; `check.sh` builds it. ALIAS and PRODUCT choose the form.
// The sources of Sample and Sample5 are the README's own.
let aliases = Context.environment["ALIAS"] == nil ? [:] : ["Security": "PassSecurity"]
let product = Context.environment["PRODUCT"] ?? "Security"

let keychain: [Target.Dependency] = [
    .product(
        name: product,
        package: "passchain",
        moduleAliases: aliases,
        condition: .when(platforms: [.linux])
    )
]
let libraries = ["PasswordStore", "GPGME"].map { name in
    Target.Dependency.product(name: name, package: "passchain")
}

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "passchain")],
    targets: [
        .executableTarget(name: "App", dependencies: keychain),
        .executableTarget(name: "Sample", dependencies: keychain),
        .executableTarget(name: "Sample5", dependencies: keychain, swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(name: "Libraries", dependencies: libraries),
        .executableTarget(name: "Other"),
    ]
)
