// swift-tools-version: 6.2
// The line above is the one place that names the oldest Swift that builds this; `scripts/check versions` holds the others to it.
import CompilerPluginSupport
import PackageDescription

// On Linux the compiler finds these libraries by itself, and pkg-config is not asked: RE2's flags make SwiftPM warn.
#if os(Linux)
let (re2, zstd, lzma): (String?, String?, String?) = (nil, nil, nil)
#else
let (re2, zstd, lzma): (String?, String?, String?) = ("re2", "libzstd", "liblzma")
#endif

// Whether another package depends on this one. Then the manifest is read at a revision, where there are no folders, or from where the
// package manager and Xcode keep dependencies: `checkouts/NAME`, or `registry/downloads/SCOPE/NAME/VERSION`.
let folders = Context.packageDirectory.split(separator: "/")
let isDependency =
  folders.isEmpty || folders.dropLast().last == "checkouts"
  || folders.dropLast(3).suffix(2) == ["registry", "downloads"]

let package = Package(
  name: "StreamMap",
  // The systems that brought 128-bit integers (decimals of 38 digits) and `Synchronization` (atomics). Nothing older has them.
  platforms: [
    .macOS(.v15), .iOS(.v18), .macCatalyst(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2),
  ],
  products: [
    .library(name: "StreamMap", targets: ["StreamMap"]),
    .library(name: "StreamMapFoundation", targets: ["StreamMapFoundation"]),
    .library(name: "StreamMapMacros", targets: ["StreamMapMacros"]),
    .library(name: "StreamMapFiles", targets: ["StreamMapFiles"]),
    .library(name: "StreamMapCompression", targets: ["StreamMapCompression"]),
    .library(name: "StreamMapNIO", targets: ["StreamMapNIO"]),
    .library(name: "StreamMapObservation", targets: ["StreamMapObservation"]),
    .executable(name: "stream-map", targets: ["stream-map"]),
    .library(name: "streammap", type: .dynamic, targets: ["StreamMapC"]),
  ],
  // A plain `swift build` here has all of them and builds everything. A package that depends on this one has those that it asks for: by
  // default it gets the library with yajl, and resolves nothing else. `scripts/test package` shows it.
  traits: [
    .trait(
      name: "Yajl",
      description: "The parser RecordParser.yajl, by the system's yajl, on macOS and Linux."),
    .trait(name: "Command", description: "The command stream-map."),
    .trait(name: "Macros", description: "@Mappable, in the product StreamMapMacros."),
    .trait(name: "NIO", description: "SwiftNIO's buffers, in the product StreamMapNIO."),
    .trait(
      name: "Observation",
      description: "Logs, metrics and traces of feeds, in the product StreamMapObservation."),
    .default(
      enabledTraits: isDependency ? ["Yajl"] : ["Command", "Macros", "NIO", "Observation", "Yajl"]),
  ],
  // Ranges are as wide as what builds. The library has no third-party dependency.
  dependencies: [
    // For the trait Command.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // For the trait Macros.
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0"),
    // For the trait NIO.
    .package(url: "https://github.com/apple/swift-nio", from: "2.60.0"),
    // For the trait Observation.
    .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
  ],
  targets: [
    // The library and the C it stands on. It needs no other library of the system than yajl, and none without the trait.
    .systemLibrary(
      name: "CYajl",
      pkgConfig: "yajl",
      providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]
    ),
    .target(name: "CText"),
    .target(name: "CScan", dependencies: ["CText"]),
    .target(
      name: "StreamMap",
      dependencies: [
        "CText", "CScan",
        // Other systems have no yajl; the sources ask with `canImport`.
        .target(name: "CYajl", condition: .when(platforms: [.macOS, .linux], traits: ["Yajl"])),
      ]),
    // What needs all of Foundation; the library needs FoundationEssentials alone, where that is.
    .target(name: "StreamMapFoundation", dependencies: ["StreamMap"]),

    // `@Mappable`, which writes mappings.
    .macro(
      name: "StreamMapMacrosPlugin",
      dependencies: [
        .product(
          name: "SwiftCompilerPlugin", package: "swift-syntax", condition: .when(traits: ["Macros"])
        ),
        .product(
          name: "SwiftSyntaxMacros", package: "swift-syntax", condition: .when(traits: ["Macros"])),
      ]
    ),
    .target(name: "StreamMapMacros", dependencies: ["StreamMap", "StreamMapMacrosPlugin"]),

    // The patterns of mapping files: RE2, behind an interface of C. Only `StreamMapFiles` uses it.
    .systemLibrary(
      name: "CRE2",
      pkgConfig: re2,
      providers: [.apt(["libre2-dev"]), .brew(["re2"])]
    ),
    .target(
      name: "CLinearPattern", dependencies: ["CRE2"], linkerSettings: [.linkedLibrary("re2")]),

    // What stands in for Foundation where its smaller part is enough.
    .target(name: "StreamMapPlatform"),

    // Mapping files, for the command and for programs. Their YAML is read by libyaml.
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
    ),
    // SHA-256 for their texts.
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]
    ),
    .target(
      name: "StreamMapFiles",
      dependencies: ["CLinearPattern", "CSodium", "CYAML", "StreamMap", "StreamMapPlatform"]),

    // The interface of C, which other languages use: a header, and a library of functions.
    .target(name: "CStreamMap", dependencies: ["CScan"]),
    .target(
      name: "StreamMapC",
      dependencies: [
        "CStreamMap", "StreamMap", "StreamMapCompression", "StreamMapFiles", "StreamMapPlatform",
      ],
      exclude: ["streammap.map"]),

    // Compressed streams, for the command and for programs: the system's libraries behind an interface of C. ISA-L is loaded where it is.
    .systemLibrary(
      name: "CZstd", pkgConfig: zstd, providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CLZMA", pkgConfig: lzma, providers: [.apt(["liblzma-dev"]), .brew(["xz"])]),
    .target(
      name: "CCompression", dependencies: ["CZstd", "CLZMA"],
      linkerSettings: ["z", "zstd", "lzma", "bz2"].map { .linkedLibrary($0) }
    ),
    .target(name: "StreamMapCompression", dependencies: ["CCompression", "StreamMap"]),

    // For servers.
    .target(
      name: "StreamMapNIO",
      dependencies: [
        "StreamMap",
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["NIO"])),
      ]
    ),
    .target(
      name: "StreamMapObservation",
      dependencies: [
        "StreamMap",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Observation"])),
        .product(
          name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Observation"])),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Observation"])),
      ]
    ),

    // Files of columns, Parquet and Arrow, made of Arrow's structs in memory: for the command. CScan has the header of these structs.
    .target(
      name: "CColumnFiles", dependencies: ["CScan", "CZstd"],
      linkerSettings: [.linkedLibrary("zstd")]),

    // SQLite, which the command writes tables with.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),

    // The command: a library, so that tests can import it, and the executable that starts it.
    .target(
      name: "StreamMapCommand",
      dependencies: [
        "CColumnFiles", "CSQLite", "StreamMap", "StreamMapCompression", "StreamMapFiles",
        "StreamMapPlatform",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
      ],
      // The guide to mapping files, which `stream-map help mapping` prints.
      resources: [.embedInCode("../StreamMap/StreamMap.docc/MappingFile.md")],
      // It has no loop over records, so it is compiled to be small: 0.1 MB less.
      swiftSettings: [.unsafeFlags(["-Osize"], .when(configuration: .release))]
    ),
    .executableTarget(name: "stream-map", dependencies: ["StreamMapCommand"]),

    // Tests.
    // What tests of the library have in common. It is a test target, too, since it looks into the library, which only tests may.
    .testTarget(
      name: "StreamMapTestSupport", dependencies: ["CScan", "StreamMap", "StreamMapMacros"]),
    // How feeds are read: the engine and its ways. It is apart from the tests of mappings so that two compilers share them.
    .testTarget(
      name: "StreamMapTests",
      dependencies: [
        "CText", "CScan", "StreamMap", "StreamMapFoundation", "StreamMapMacros",
        "StreamMapTestSupport",
      ],
      exclude: ["Fuzz/Findings"]
    ),
    // What a mapping means: mappers, conversions, rules, macros, guides.
    .testTarget(
      name: "StreamMapMappingTests",
      dependencies: [
        "CText", "CScan", "StreamMap", "StreamMapFoundation", "StreamMapMacros",
        "StreamMapTestSupport",
      ]),
    .testTarget(
      name: "StreamMapFilesTests", dependencies: ["StreamMap", "StreamMapFiles"],
      exclude: ["Mistakes"]),
    .testTarget(
      name: "StreamMapCompressionTests",
      dependencies: ["CCompression", "StreamMap", "StreamMapCompression"]),
    .testTarget(
      name: "StreamMapNIOTests",
      dependencies: [
        "StreamMap", "StreamMapCompression", "StreamMapNIO",
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["NIO"])),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["NIO"])),
      ]
    ),
    .testTarget(
      name: "StreamMapObservationTests",
      dependencies: [
        "StreamMap", "StreamMapObservation",
        .product(
          name: "InMemoryLogging", package: "swift-log", condition: .when(traits: ["Observation"])),
        .product(
          name: "MetricsTestKit", package: "swift-metrics",
          condition: .when(traits: ["Observation"])),
        .product(
          name: "InMemoryTracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Observation"])),
      ]
    ),
    // The command as a program that runs. These tests import nothing of it, so they compile before it is there.
    .testTarget(name: "CommandLineTests", exclude: ["Mappings", "Faults"]),
    // What looks into the command, or holds it against the libraries.
    .testTarget(
      name: "StreamMapCommandTests",
      dependencies: [
        "CommandLineTests", "StreamMapCommand", "StreamMapCompression", "StreamMapFiles",
        "StreamMap",
      ]),
  ],
  swiftLanguageModes: [.v6],
  // What newer versions of RE2 need.
  cxxLanguageStandard: .cxx17
)

// What the macros write, to the letter. A test of a macro runs where the compiler runs, and all other tests would with it: everything
// would be compiled twice. So these tests come instead of the others, where STREAMMAP_MACRO_TESTS is set, as scripts/test does.
if Context.environment["STREAMMAP_MACRO_TESTS"] != nil {
  package.targets.removeAll { $0.type == .test }
  package.targets.append(
    .testTarget(
      name: "StreamMapMacrosPluginTests",
      dependencies: [
        "StreamMapMacrosPlugin",
        .product(
          name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax",
          condition: .when(traits: ["Macros"])),
      ]
    ))
}

// What compares StreamMap with yajl and its peers. `scripts/bench` sets the variable; the objects are those of the command.
if Context.environment["STREAMMAP_BENCHMARKS"] != nil {
  package.targets += [
    // Raw yajl, in C: what the parser underneath costs without Swift around it.
    .target(
      name: "CYajlBaseline", dependencies: ["CYajl"], path: "Benchmarks/Sources/CYajlBaseline"),
    .executableTarget(
      name: "streammap-bench",
      dependencies: [
        "CYajlBaseline", "StreamMap",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/Sources/streammap-bench"),
  ]
}

#if os(Linux)
// The C library tells its version by its name, and shows nothing but its functions. A package with such flags cannot be depended on, and
// only who builds the library needs them.
if !isDependency {
  let names = Context.packageDirectory + "/Sources/StreamMapC/streammap.map"
  let flags = ["-soname=libstreammap.so.0.1", "--version-script=\(names)"]
  for target in package.targets where target.name == "StreamMapC" {
    target.linkerSettings = [.unsafeFlags(flags.flatMap { ["-Xlinker", $0] })]
  }
}
#endif

// Tests map millions of records, so the scripts have the engine optimised in test builds, too, by this variable; instructions are counted in
// the same build. To debug the engine, build without it. It is not the default, since a package with such flags cannot be depended on.
if Context.environment["STREAMMAP_OPTIMIZED"] != nil {
  let optimised = [
    "CColumnFiles", "CLinearPattern", "CScan", "CText", "CYajlBaseline", "StreamMap",
    "StreamMapFiles", "streammap-bench",
  ]
  for target in package.targets where optimised.contains(target.name) {
    target.cSettings = [.unsafeFlags(["-O2"], .when(configuration: .debug))]
    target.swiftSettings = [.unsafeFlags(["-O"], .when(configuration: .debug))]
  }
}
