// swift-tools-version: 6.2
import PackageDescription

// The programs build with Swift 6.2.3 as well, which Debian has. The SDK, and plugins on it, need 6.3 for @c and module selectors.

/// Every Swift target: language mode 6, warnings are errors, no accidental re-exports.
let swift: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
/// Applications depend on the SDK and on TaskHostTesting by a version: their checkouts must have no unsafe flags.
let isDependency = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"
#if compiler(>=6.3)
let leftOut = ["-symbol-graph-skip-synthesized-members", "-symbol-graph-skip-inherited-docs"]
#else
let leftOut: [String] = []
#endif
/// What the debug build says of a module's symbols, for the site of the documents (Tools/docs.sh).
let symbols: [SwiftSetting] =
    isDependency
    ? []
    : [
        .unsafeFlags(
            [
                "-emit-symbol-graph", "-emit-symbol-graph-dir", ".build/symbolgraph",
                "-symbol-graph-minimum-access-level", "package",
            ] + leftOut, .when(configuration: .debug))
    ]
/// Release builds do not check at run time that accesses do not overlap: a sixth of a warm run's instructions. Debug builds, and
/// so all tests, do. Each function has a section of its own, so that the linker leaves out those that nothing calls: a tenth of the
/// programs.
let unchecked: [SwiftSetting] =
    isDependency
    ? []
    : [
        .unsafeFlags(
            ["-enforce-exclusivity=unchecked", "-Xfrontend", "-function-sections"], .when(configuration: .release))
    ]
/// Each use of what is unsafe says so, and is an error in the modules that Tools/floors calls safe.
let strict: [SwiftSetting] = swift + symbols + unchecked + [.strictMemorySafety()]
/// Every C target. `_GNU_SOURCE` has to be a flag: defined in a header it would come too late for module imports.
let c: [CSetting] = [
    .define("_GNU_SOURCE"), .enableWarning("all"), .enableWarning("extra"), .disableWarning("unused-parameter"),
    .treatAllWarnings(as: .error),
]
/// Plugins export their entry symbols and nothing else.
let plugin: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

/// The Swift SDK. It follows Apple's modules where our own rules would part from them.
let sdk: [SwiftSetting] = symbols + [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .strictMemorySafety()]

/// Where `make install` puts the Swift runtime, seen from bin and from libexec/taskhost.
let installed: [LinkerSetting] = [
    .unsafeFlags([
        "-Xlinker", "-rpath=$ORIGIN/../lib/taskhost/runtime", "-Xlinker", "-rpath=$ORIGIN/../../lib/taskhost/runtime",
        // Bound once in the zygote instead of lazily in every worker: 40 us of each fork.
        "-Xlinker", "-z", "-Xlinker", "now",
    ])
]

/// The worker has the Swift runtime within it: a fork has 45 mappings fewer, and a start no libraries to bind. Plugins in Swift load a
/// runtime of their own, and see none of this one. The linker is the toolchain's; libstdc++.a and libgcc_eh.a come with the system's
/// g++. `--no-export-dynamic` takes back what `-static-stdlib` asks for. Sanitizers put code of their own into both, so that their
/// worker has a shared runtime.
let whole: [LinkerSetting] = [
    .unsafeFlags([
        "-static-stdlib", "-use-ld=lld", "-L\(Context.packageDirectory)/Tools/worker-link", "-Xclang-linker",
        "-static-libgcc",
        "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Tools/worker-link/functions",
        "-Xlinker", "--no-warn-symbol-ordering", "-Xlinker", "--no-export-dynamic",
    ])
]
let isSanitized = Context.environment["TASKHOST_SANITIZER"] != nil
/// Libraries of plugins have to find the worker's getaddrinfo before the C library's.
let names: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=getaddrinfo"])]

/// Frameworks of iOS whose modules have names of their own, TaskHostNetwork for Network: SwiftPM shows every module of a build to
/// all its packages, and `#if canImport(Network)` in one of them must stay false. `-module-alias` gives applications the short
/// names (Tools/swift-flags.sh).
let frameworks = ["CoreFoundation", "CoreGraphics", "CoreLocation", "Network", "Security", "WidgetKit"]
/// What applications import.
let sdkProduct =
    ["BackgroundTasks", "UIKit", "Combine", "UserNotifications", "os", "OSLog", "TaskHostExtensions"]
    + frameworks.map { "TaskHost" + $0 }

func library(_ name: String) -> Product { .library(name: name, type: .dynamic, targets: [name]) }

let products: [Product] = [
    .executable(name: "taskhost", targets: ["taskhost"]),
    .executable(name: "taskhost-worker", targets: ["taskhost-worker"]),
    .executable(name: "taskhost-transfer", targets: ["taskhost-transfer"]),
    library("Scrub"),
    library("DatabaseCare"),
    library("SeedSample"),
    library("SeedBackgroundTime"),
    library("SeedTransfers"),
    library("FeedRefresh"),
    library("ConformanceApplication"),
    // For code outside of this package: Documentation/SwiftSDK.md
    .library(
        name: "TaskHostSDK", type: .static,
        targets: sdkProduct),
    // Apart, so that only plugins that use it have it: its types cost each launch a tenth of a millisecond.
    .library(name: "TaskHostCryptoKit", type: .static, targets: ["CryptoKit"]),
    .library(name: "TaskHostSwiftUI", type: .static, targets: ["SwiftUI"]),
    // For their tests: Documentation/Testing.md
    .library(name: "TaskHostTesting", type: .static, targets: ["TaskHostTesting"]),
]

let targets: [Target] = [
    // Floor 1: C. The floors are those of Tools/floors.
    .target(name: "CTaskHost", cSettings: c),
    .target(name: "CLinux", cSettings: c),
    .target(name: "CNames", cSettings: c),
    .systemLibrary(name: "CFFI", pkgConfig: "libffi", providers: [.apt(["libffi-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    // No pkgConfig, which would link every program with it. For plugins; CLinux maps it when it is needed.
    .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),

    // The same: Fleet maps it when a fleet is configured.
    .systemLibrary(name: "CPQ", providers: [.apt(["libpq-dev"])]),

    // Floors 2 and 3: values and foundations
    .target(name: "TaskModel", swiftSettings: strict),
    .target(name: "JSON", swiftSettings: strict),
    .target(name: "Linux", dependencies: ["CLinux", "TaskModel"], swiftSettings: strict),
    .target(name: "Record", dependencies: ["TaskModel"], swiftSettings: strict),

    // Floor 4: pure logic
    .target(name: "Wire", dependencies: ["TaskModel"], swiftSettings: strict),
    .target(name: "Manifests", dependencies: ["TaskModel", "JSON"], swiftSettings: strict),
    .target(name: "Engine", dependencies: ["TaskModel"], swiftSettings: strict),
    .target(name: "Scheduling", dependencies: ["TaskModel", "Record"], swiftSettings: strict),
    .target(name: "Transfers", dependencies: ["TaskModel"], swiftSettings: strict),
    .target(name: "Learning", dependencies: ["TaskModel"], swiftSettings: strict),

    // Floor 5: services
    .target(name: "Store", dependencies: ["TaskModel", "Linux", "Record", "CSQLite"], swiftSettings: strict),
    .target(name: "Workers", dependencies: ["TaskModel", "Linux", "Wire"], swiftSettings: strict),
    .target(
        name: "Confining", dependencies: ["Linux", "CSeccomp"], swiftSettings: strict),
    .target(name: "Transferring", dependencies: ["TaskModel", "Linux", "Wire"], swiftSettings: strict),
    .target(
        name: "Fleet", dependencies: ["TaskModel", "JSON", "Linux", "Record", "CPQ"],
        resources: [
            .embedInCode("Schema/fleet-1.sql"), .embedInCode("Schema/fleet-2.sql"), .embedInCode("Schema/fleet-3.sql"),
        ], swiftSettings: strict),
    .target(
        name: "Control", dependencies: ["TaskModel", "JSON", "Linux", "Manifests", "CMicroHTTPD"],
        resources: [.embedInCode("Page")], swiftSettings: strict),

    .target(
        name: "Conditions", dependencies: ["TaskModel", "Linux", "CSystemd"], swiftSettings: strict),

    // Floor 6: what a host is told and works in, and the programs beside it
    .target(
        name: "Setting",
        dependencies: [
            "TaskModel", "JSON", "Linux", "Record", "Wire", "Manifests", "Scheduling", "Transfers", "Workers",
            "Conditions", "Control",
        ],
        swiftSettings: strict),
    .target(
        name: "PageDoor", dependencies: ["TaskModel", "JSON", "Linux", "Control"], swiftSettings: strict),
    .target(
        name: "Worker",
        dependencies: [
            "TaskModel", "Linux", "Wire", "Learning", "Confining", "CTaskHost", "CLinux", "CNames", "CFFI",
        ],
        swiftSettings: strict),
    .target(
        name: "Transfer",
        dependencies: ["TaskModel", "Linux", "Wire", "Confining", "CCurl"], swiftSettings: strict),

    // Floor 7: the host
    .target(
        name: "Host",
        dependencies: [
            "TaskModel", "JSON", "Linux", "Record", "Wire", "Manifests", "Engine", "Scheduling", "Transfers",
            "Store", "Workers", "Transferring", "Conditions", "Control", "Setting",
        ],
        swiftSettings: strict),

    // Floor 8: what is asked of a host
    .target(
        name: "Serving",
        dependencies: [
            "TaskModel", "JSON", "Linux", "Record", "Wire", "Manifests", "Engine", "Scheduling", "Transfers",
            "Store", "Workers", "Conditions", "Control", "Fleet", "Setting", "Host",
        ],
        swiftSettings: strict),

    // Floor 9: the command line
    .target(
        name: "CLI",
        dependencies: [
            "TaskModel", "JSON", "Linux", "Record", "Manifests", "Learning", "Control", "Fleet", "Setting",
            "Serving",
            "PageDoor",
        ],
        resources: [.embedInCode("NewPlugin/Templates")], swiftSettings: strict),

    // Floor 10: executables
    .executableTarget(name: "taskhost", dependencies: ["CLI"], swiftSettings: strict, linkerSettings: installed),
    .executableTarget(
        name: "taskhost-worker", dependencies: ["Worker"], swiftSettings: strict,
        linkerSettings: installed + names + (isSanitized ? [] : whole)),

    .executableTarget(
        name: "taskhost-transfer", dependencies: ["Transfer"], swiftSettings: strict, linkerSettings: installed),

    // Measures taskhost from outside, through its command line alone
    .executableTarget(name: "taskhost-bench", path: "Benchmarks/Driver", swiftSettings: swift),
    // Measures scheduler and store with a million requests
    .executableTarget(
        name: "taskhost-bench-requests", dependencies: ["TaskModel", "Record", "Scheduling", "Store"],
        path: "Benchmarks/Requests", swiftSettings: swift),

    // The Swift SDK: static in each plugin, on the public header alone
    .target(name: "CApplication", dependencies: ["CTaskHost"], path: "Sources/SDK/CApplication", cSettings: c),
    .target(
        name: "TaskHostRuntime", dependencies: ["CTaskHost", "CApplication"], path: "Sources/SDK/TaskHostRuntime",
        swiftSettings: sdk),
    .target(
        name: "TaskHostFoundation", dependencies: ["TaskHostRuntime", "CTaskHost", "CApplication"],
        path: "Sources/SDK/TaskHostFoundation", swiftSettings: sdk),
    .target(
        name: "BackgroundTasks", dependencies: ["TaskHostRuntime", "TaskHostFoundation", "CTaskHost"],
        path: "Sources/SDK/BackgroundTasks", swiftSettings: sdk),
    .target(name: "_Testing_UIKit", path: "Sources/SDK/TestingOverlay", swiftSettings: sdk),
    .systemLibrary(name: "UIKitClang", path: "Sources/SDK/UIKitClang"),
    .systemLibrary(name: "FrameworkNames", path: "Sources/SDK/FrameworkNames"),
    .target(
        name: "UIKit",
        dependencies: [
            "TaskHostRuntime", "TaskHostFoundation", "TaskHostSecurity", "UserNotifications", "Combine",
            "CTaskHost",
            "CApplication", "UIKitClang", "FrameworkNames", "_Testing_UIKit",
        ],
        path: "Sources/SDK/UIKit", swiftSettings: sdk),
    .target(
        name: "UserNotifications", dependencies: ["TaskHostRuntime", "TaskHostFoundation", "CTaskHost"],
        path: "Sources/SDK/UserNotifications", swiftSettings: sdk),
    .target(
        name: "Combine", dependencies: ["TaskHostFoundation"], path: "Sources/SDK/Combine", swiftSettings: sdk),
    .systemLibrary(name: "OSClang", path: "Sources/SDK/OSClang"),
    .target(
        name: "os", dependencies: ["TaskHostRuntime", "TaskHostFoundation", "CTaskHost", "OSClang"],
        path: "Sources/SDK/os", swiftSettings: sdk),
    .target(name: "OSLog", dependencies: ["os"], path: "Sources/SDK/OSLog", swiftSettings: sdk),
    // Without OpenSSL's headers, and linked with nothing: it maps libcrypto when it is needed.
    .target(name: "CCryptoKit", path: "Sources/SDK/CCryptoKit", cSettings: c),
    .target(
        name: "CryptoKit", dependencies: ["CCryptoKit", "TaskHostRuntime", "TaskHostFoundation", "CApplication"],
        path: "Sources/SDK/CryptoKit", swiftSettings: sdk),
    .target(
        name: "TaskHostExtensions", dependencies: ["BackgroundTasks", "TaskHostRuntime", "CTaskHost"],
        path: "Sources/SDK/TaskHostExtensions", swiftSettings: sdk),

    .target(
        name: "SwiftUI",
        dependencies: [
            "UIKit", "Combine", "BackgroundTasks", "TaskHostExtensions", "TaskHostRuntime", "TaskHostFoundation",
            "CTaskHost", "CApplication",
        ],
        path: "Sources/SDK/SwiftUI", swiftSettings: sdk),

    // For tests of applications: the SDK's host in the test's own process
    .target(
        name: "TaskHostTesting",
        dependencies: [
            "BackgroundTasks", "UIKit", "TaskHostRuntime", "TaskHostFoundation", "TaskHostExtensions", "CTaskHost",
            "CApplication", "TaskModel", "Record", "Manifests", "Engine", "Scheduling",
        ],
        swiftSettings: sdk),

    // Plugins: the public header and C libraries, nothing else of ours
    .target(
        name: "Scrub", dependencies: ["CTaskHost", "CSQLite", "CCrypto"], path: "Plugins/Scrub",
        swiftSettings: swift,
        linkerSettings: plugin + [.linkedLibrary("crypto")]),
    .target(
        name: "DatabaseCare", dependencies: ["CTaskHost", "CSQLite"], path: "Plugins/DatabaseCare", cSettings: c,
        linkerSettings: plugin),
    // The language mode of its time: @UIApplicationMain is an error in mode 6. Its warnings are the listings' own.
    .target(
        name: "SeedSample", dependencies: ["BackgroundTasks", "UIKit"], path: "Plugins/SeedSample",
        swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])], linkerSettings: plugin),

    .target(
        name: "SeedBackgroundTime", dependencies: ["UIKit"], path: "Plugins/SeedBackgroundTime",
        swiftSettings: swift, linkerSettings: plugin),

    .target(
        name: "SeedTransfers", dependencies: ["UIKit"], path: "Plugins/SeedTransfers",
        swiftSettings: swift, linkerSettings: plugin),

    .target(
        name: "Feeds", dependencies: ["CSQLite"], path: "Plugins/FeedRefresh/Feeds", swiftSettings: swift),
    .target(
        name: "FeedRefresh", dependencies: ["Feeds", "BackgroundTasks", "TaskHostExtensions"],
        path: "Plugins/FeedRefresh/Application", swiftSettings: swift, linkerSettings: plugin),

    // Tests
    .target(
        name: "ConformanceApplication", dependencies: ["BackgroundTasks", "UIKit", "os", "TaskHostExtensions"],
        path: "Tests/Fixtures/ConformanceApplication", swiftSettings: swift, linkerSettings: plugin),
    .target(name: "ConfinementAttacks", path: "Tests/Fixtures/ConfinementAttacks", cSettings: c),
    .executableTarget(
        name: "confinement-probe",
        dependencies: ["Worker", "Transfer", "Confining", "Linux", "Wire", "CLinux", "ConfinementAttacks"],
        path: "Tests/Fixtures/ConfinementProbe", swiftSettings: swift, linkerSettings: plugin),
    .testTarget(name: "TaskModelTests", dependencies: ["TaskModel", "TestSupport"], swiftSettings: swift),
    .testTarget(name: "ManifestsTests", dependencies: ["Manifests", "JSON", "TaskModel"], swiftSettings: swift),
    .testTarget(
        name: "CalendarTests", dependencies: ["Scheduling", "Manifests", "TaskModel", "TestSupport"],
        exclude: ["Zones", "Tables"], swiftSettings: swift),
    .testTarget(
        name: "StoreTests", dependencies: ["Store", "Linux", "Record", "Scheduling", "TaskModel", "TestSupport"],
        swiftSettings: swift),
    .testTarget(
        name: "EngineTests",
        dependencies: ["Engine", "Record", "Scheduling", "TaskModel", "TestSupport", "Transfers"],
        swiftSettings: swift),
    .testTarget(
        name: "SchedulingTests", dependencies: ["Scheduling", "Record", "TaskModel", "TestSupport"],
        swiftSettings: swift),
    .testTarget(
        name: "TransfersTests", dependencies: ["Transfers", "TaskModel", "TestSupport"], swiftSettings: swift),
    .testTarget(
        name: "FleetTests",
        dependencies: ["Engine", "Fleet", "Linux", "Record", "Scheduling", "TaskModel", "TestSupport"],
        swiftSettings: swift),
    .testTarget(name: "LearningTests", dependencies: ["Learning", "TaskModel"], swiftSettings: swift),
    .testTarget(name: "WireTests", dependencies: ["Wire", "TaskModel", "TestSupport"], swiftSettings: swift),
    .testTarget(
        name: "LinuxTests", dependencies: ["Linux", "Workers", "TaskModel", "Wire", "CLinux", "TestSupport"],
        swiftSettings: swift),
    .testTarget(
        name: "TransferTests",
        dependencies: ["Transfer", "Transferring", "Linux", "Wire", "TaskModel", "CLinux", "TestSupport"],
        swiftSettings: swift),
    .testTarget(
        name: "WorkerTests",
        dependencies: ["Worker", "Workers", "Confining", "Linux", "Wire", "TaskModel", "CLinux", "TestSupport"],
        swiftSettings: swift),
    .target(
        name: "TestSupport", dependencies: ["Linux", "CLinux", "Record", "TaskModel", "CSQLite"],
        path: "Tests/Support",
        swiftSettings: swift),
    .testTarget(
        name: "ConditionsTests", dependencies: ["Conditions", "Linux", "TaskModel", "TestSupport"],
        swiftSettings: swift),
    .testTarget(name: "PluginTests", dependencies: ["TestSupport"], swiftSettings: swift),
    .testTarget(
        name: "FeedRefreshTests", dependencies: ["Feeds", "TestSupport"], swiftSettings: swift),
    .testTarget(
        name: "HostTests",
        dependencies: [
            "Conditions", "Setting", "Host", "Serving", "Manifests", "Scheduling", "Engine", "Wire", "Workers",
            "Linux", "Record",
            "Store",
            "TaskModel",
            "TestSupport", "Control", "JSON", "Transfers",
        ],
        swiftSettings: swift),
    .testTarget(
        name: "ControlTests", dependencies: ["Control", "JSON", "Linux", "CLinux", "TaskModel", "TestSupport"],
        swiftSettings: swift),
    .testTarget(
        name: "PageDoorTests", dependencies: ["PageDoor", "Control", "JSON", "Linux", "TaskModel", "TestSupport"],
        swiftSettings: swift),
    .testTarget(
        name: "CLITests",
        dependencies: [
            "CLI", "CSQLite", "Control", "JSON", "Linux", "PageDoor", "Record", "Setting", "Store", "TaskModel",
            "TestSupport",
        ],
        swiftSettings: swift),
    .testTarget(
        name: "TaskHostTestingTests",
        dependencies: [
            "TaskHostTesting", "BackgroundTasks", "UIKit", "SwiftUI", "TaskHostExtensions", "TaskHostNetwork",
        ],
        swiftSettings: swift),
    .testTarget(
        name: "SDKTests",
        dependencies: [
            "BackgroundTasks", "UIKit", "SwiftUI", "Combine", "UserNotifications", "os", "CryptoKit",
            "TaskHostRuntime",
            "CTaskHost", "TestSupport", "TaskHostTesting", "TaskHostCoreLocation", "TaskHostNetwork",
            "TaskHostSecurity", "TaskHostWidgetKit",
        ],
        swiftSettings: swift),
]

let frameworkTargets: [Target] = frameworks.map { name in
    .target(
        name: "TaskHost" + name, dependencies: ["TaskHostFoundation", "TaskHostRuntime"],
        path: "Sources/SDK/" + name,
        swiftSettings: sdk)
}

let package = Package(
    name: "taskhost", products: products, targets: targets + frameworkTargets, cLanguageStandard: .c17)

/// Leaves out every target that these do not need.
@MainActor func keep(_ names: Set<String>) {
    var needed = names
    var next = names
    while !next.isEmpty {
        let others = package.targets.filter { next.contains($0.name) }.flatMap(\.dependencies).compactMap {
            dependency in
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): name
            default: nil
            }
        }
        next = Set(others).subtracting(needed)
        needed.formUnion(next)
    }
    package.targets.removeAll { !needed.contains($0.name) }
}

/// `make test-quick`: TASKHOST_TESTS=pure leaves out every test target but those of values and pure logic, whose tests start no
/// process, and everything that these do not need. One bundle holds all test targets, and any edit links it anew.
if Context.environment["TASKHOST_TESTS"] == "pure" {
    keep([
        "TaskModelTests", "ManifestsTests", "CalendarTests", "EngineTests", "SchedulingTests", "TransfersTests",
        "LearningTests", "WireTests",
    ])
    package.products.removeAll()
}
// Names of targets are unique over all packages: an application's own must not meet those of the host.
if isDependency {
    package.products.removeAll { !$0.name.hasPrefix("TaskHost") }
    keep(Set(sdkProduct + ["TaskHostTesting", "CryptoKit", "SwiftUI"]))
}
