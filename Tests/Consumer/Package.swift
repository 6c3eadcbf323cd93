// swift-tools-version: 6.2
import PackageDescription

// A client's package, in the forms that the README shows; `check.sh` builds it. ALIAS and PRODUCT choose the form.
let aliases = Context.environment["ALIAS"] == nil ? [:] : ["Security": "PassSecurity"]
let product = Context.environment["PRODUCT"] ?? "Security"

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "passchain")],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(
                    name: product,
                    package: "passchain",
                    moduleAliases: aliases,
                    condition: .when(platforms: [.linux])
                )
            ]
        ),
        .executableTarget(name: "Other"),
    ]
)
