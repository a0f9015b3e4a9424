// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "StreamMap",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "StreamMap", targets: ["StreamMap"]),
    .library(name: "StreamMapMacros", targets: ["StreamMapMacros"]),
    .library(name: "StreamMapFiles", targets: ["StreamMapFiles"]),
    .executable(name: "stream-map", targets: ["stream-map"]),
  ],
  dependencies: [
    // Of the command only; the library has no third-party dependency.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // Of `StreamMapFiles` only.
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    // Of `StreamMapMacros` only.
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: [
    // The library and the C it stands on.
    .systemLibrary(
      name: "CYajl",
      pkgConfig: "yajl",
      providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]
    ),
    .target(name: "CScan"),
    .target(name: "StreamMap", dependencies: ["CScan", "CYajl"]),

    // `@Mappable`, which writes mappings.
    .macro(
      name: "StreamMapMacrosPlugin",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ]
    ),
    .target(name: "StreamMapMacros", dependencies: ["StreamMap", "StreamMapMacrosPlugin"]),

    // Mapping files, for the command and for whoever embeds.
    .target(
      name: "StreamMapFiles",
      dependencies: ["StreamMap", .product(name: "Yams", package: "Yams")]
    ),

    // The command: a library, so that tests can import it, and the executable that starts it.
    .target(
      name: "StreamMapCommand",
      dependencies: [
        "StreamMap", "StreamMapFiles",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(name: "stream-map", dependencies: ["StreamMapCommand"]),

    // Tests.
    .testTarget(
      name: "StreamMapTests", dependencies: ["CScan", "StreamMap", "StreamMapMacros"],
      exclude: ["Fuzz/Findings"]
    ),
    .testTarget(
      name: "StreamMapMacrosPluginTests",
      dependencies: [
        "StreamMap", "StreamMapMacrosPlugin",
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ]
    ),
    .testTarget(name: "StreamMapFilesTests", dependencies: ["StreamMap", "StreamMapFiles"]),
    .testTarget(
      name: "CommandLineTests",
      dependencies: ["stream-map", "StreamMapCommand", "StreamMapFiles", "StreamMap"],
      exclude: ["Mappings", "Faults"]
    ),
  ],
  swiftLanguageModes: [.v6]
)
