import Foundation
import Testing

@Suite("An installed tree", .plainBuild)
struct InstalledTreeTests {
    /// `make install` from the products under test, made once: stripping takes a while.
    private static let tree = Result { () throws -> Folder in
        let folder = try Folder()
        let install = try Tool.execute(
            "/usr/bin/env",
            [
                "make", "-s", "-C", Places.root.path, "-o", "build", "install", "BIN=\(try Places.products.path)",
                "DESTDIR=\(folder.path)", "PREFIX=/usr/local",
            ])
        guard install.status == 0 else { throw Problem("make install: \(install.output)\(install.errors)") }
        return folder
    }

    /// The folder of the Swift runtime that the products were built against.
    private static let runtime = Result { () throws -> String in
        let libraries = try Tool.execute("/usr/bin/env", ["ldd", try Places.taskhost.path]).output
        let core = libraries.split(separator: "\n").first { $0.contains("libswiftCore.so") }
        let path = try #require(core?.split(separator: " ").first { $0.hasPrefix("/") })
        return URL(filePath: String(path)).deletingLastPathComponent().path
    }

    @Test("names no folder outside itself")
    func searchPaths() throws {
        let tree = try Self.tree.get()
        let found = try Tool.execute(
            "/bin/sh",
            [
                "-c",
                """
                find "$0" -type f \\( -name '*.so' -o -perm -100 \\) | while read -r file; do
                    echo "$file: $(readelf -d "$file" | sed -n 's/.*R.*PATH).*\\[\\(.*\\)\\]/\\1/p')"
                done
                """, tree.path,
            ])
        let lines = found.output.split(separator: "\n")
        #expect(lines.count > 20, "\(found.output)")
        for line in lines {
            let paths = line.split(separator: ": ", maxSplits: 1).dropFirst().first?.split(separator: ":") ?? []
            #expect(paths.allSatisfy { $0.hasPrefix("$ORIGIN") }, "\(line)")
        }
    }

    @Test("makes an application of the BackgroundTasks framework that builds against it and runs")
    func application() throws {
        let (tree, folder) = (try Self.tree.get(), try Folder())
        let tool = try Tool.shell(
            """
            set -e
            '\(tree.path)/usr/local/bin/taskhost' new helloWorld --application
            make -C helloWorld >&2
            '\(tree.path)/usr/local/bin/taskhost' run helloWorld --manifests helloWorld/manifests --state state --json
            """, in: folder)
        #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
        #expect(tool.output.components(separatedBy: #""outcome":"succeeded""#).count == 3, "\(tool.output)")
        let makefile = try String(contentsOf: folder.file("helloWorld/Makefile"), encoding: .utf8)
        #expect(makefile.contains("SDK ?= \(tree.path)/usr/local/lib/taskhost/swift/flags.sh\n"), "\(makefile)")
    }

    @Test("has the testing kit: a package of the template builds against it, and its tests pass")
    func testingKit() throws {
        let (tree, folder) = (try Self.tree.get(), try Folder())
        let tool = try Tool.shell(
            """
            set -e
            '\(tree.path)/usr/local/bin/taskhost' new com.example.hello --template ios
            make -C hello test
            """, in: folder)
        #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
        #expect((tool.output + tool.errors).contains("Test run with 3 tests in 1 suite passed"), "\(tool.output)")
        let makefile = try String(contentsOf: folder.file("hello/Makefile"), encoding: .utf8)
        #expect(makefile.contains("SDK ?= \(tree.path)/usr/local/lib/taskhost/swift/flags.sh\n"), "\(makefile)")
    }

    @Test("brings a toolset, with which a package of an iOS application needs no dependency and no flags")
    func toolset() throws {
        let (tree, folder) = (try Self.tree.get(), try Folder())
        try folder.write(
            "Package.swift",
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Reader",
                targets: [.executableTarget(name: "Reader"), .testTarget(name: "ReaderTests", dependencies: ["Reader"])])
            """)
        try folder.write(
            "Sources/Reader/AppDelegate.swift",
            """
            import BackgroundTasks
            import UIKit

            @main final class AppDelegate: UIResponder, UIApplicationDelegate {
                func application(
                    _ application: UIApplication, didFinishLaunchingWithOptions: [UIApplication.LaunchOptionsKey: Any]?
                ) -> Bool {
                    BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.reader.refresh", using: .main) {
                        Loader.start()
                        $0.setTaskCompleted(success: true)
                    }
                    return true
                }
            }
            """)
        // As on iOS, where URLSession is Foundation's.
        try folder.write(
            "Sources/Reader/Loader.swift",
            """
            import Foundation

            @MainActor enum Loader {
                static let session = URLSession(
                    configuration: .background(withIdentifier: "reader"), delegate: nil, delegateQueue: nil)
                static func start() {
                    if let url = URL(string: "https://example.com/") { session.downloadTask(with: url).resume() }
                }
            }
            """)
        try folder.write(
            "Tests/ReaderTests/RefreshTests.swift",
            """
            import TaskHostTesting
            import Testing
            @testable import Reader

            @Test func refresh() async throws {
                let host = try await TestHost(tasks: ["com.example.reader.refresh": .appRefresh]) { AppDelegate.main() }
                #expect(try await host.launch("com.example.reader.refresh").succeeded)
                #expect(host.transfers.map(\\.session) == ["reader"])
                await host.close()
            }
            """)
        let tool = try Tool.shell(
            """
            set -e
            '\(tree.path)/usr/local/lib/taskhost/swift/flags.sh' toolset >taskhost.json
            swift test --toolset taskhost.json 2>&1
            """, in: folder)
        #expect(tool.status == 0 && tool.output.contains("Test run with 1 test"), "\(tool.output)")
    }

    @Test("builds a plugin with SwiftPM, which finds the SDK by pkg-config", arguments: ["", "-Xswiftc -use-ld=lld"])
    func packageConfiguration(_ flags: String) throws {
        let (tree, folder) = (try Self.tree.get(), try Folder())
        try folder.write(
            "Package.swift",
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Refresher", products: [.library(name: "Refresher", type: .dynamic, targets: ["Refresher"])],
                targets: [
                    .systemLibrary(name: "CTaskHostSwift", pkgConfig: "taskhost-swift"),
                    .target(name: "Refresher", dependencies: ["CTaskHostSwift"]),
                ])
            """)
        try folder.write("Sources/CTaskHostSwift/module.modulemap", "module CTaskHostSwift {}\n")
        try folder.write(
            "Sources/Refresher/Refresher.swift",
            """
            import BackgroundTasks
            import TaskHostExtensions

            @main enum Refresher {
                static func main() {
                    BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.config.refresh") { task in
                        task.showProgress(completed: 1, of: 1)
                    }
                }
            }
            """)
        try folder.write(
            "com.example.config.json",
            """
            {"identifier": "com.example.config", "library": "libRefresher.so", "backgroundModes": ["fetch"],
             "tasks": {"com.example.config.refresh": {"kind": "appRefresh"}}}
            """)
        let tool = try Tool.shell(
            """
            set -e
            swift build -c release --disable-sandbox \(flags) >&2
            install -m 755 "$(swift build -c release --show-bin-path)/libRefresher.so" .
            '\(tree.path)/usr/local/bin/taskhost' run com.example.config.refresh --manifests com.example.config.json \
                --state state --json
            """, in: folder, environment: ["PKG_CONFIG_PATH": tree.file("usr/local/share/pkgconfig").path])
        #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
        #expect(tool.output.contains(#""outcome":"succeeded""#), "\(tool.output)\(tool.errors)")
    }

    @Test("is removed whole by make uninstall, which leaves what others put beside it")
    func uninstall() throws {
        let folder = try Folder()
        _ = try Tool.shell("cp -al '\(try Self.tree.get().path)/.' .", in: folder)
        try folder.write("usr/local/bin/other", "#!/bin/sh\n")
        try folder.write("usr/local/share/man/man1/other.1", "")
        let uninstall = try Tool.execute(
            "/usr/bin/env",
            ["make", "-s", "-C", Places.root.path, "uninstall", "DESTDIR=\(folder.path)", "PREFIX=/usr/local"])
        #expect(uninstall.status == 0, "\(uninstall.errors)")
        let left = try Tool.shell("find . ! -type d | sort", in: folder).output
        #expect(left == "./usr/local/bin/other\n./usr/local/share/man/man1/other.1\n")
        let folders = try Tool.shell("find . -name '*taskhost*'", in: folder).output
        #expect(folders.isEmpty)
    }

    @Test(
        "has every module that code of iOS imports",
        arguments: [
            "28-LoggedErrors", "35-ViewModel", "36-LocalNotification", "37-Interface", "38-NoImport", "55-Frameworks",
        ])
    func modules(_ client: String) throws {
        let source = Places.root.appending(path: "Tests/Fixtures/Clients/\(client).swift").path
        let flags = try Self.tree.get().file("usr/local/lib/taskhost/swift/flags.sh").path
        let compiler = try Tool.shell("swiftc -parse-as-library -typecheck $('\(flags)') '\(source)'")
        #expect(compiler.status == 0, "\(compiler.errors)")
    }

    @Test("says which packages another machine needs")
    func packages() throws {
        let text = try String(
            contentsOf: try Self.tree.get().file("usr/local/lib/taskhost/packages"), encoding: .utf8)
        let packages = text.split(separator: "\n")
        for package in ["libcurl4", "libffi8", "libmicrohttpd12", "libseccomp2", "libsqlite3-0", "libssl3", "libxml2"] {
            #expect(packages.contains { $0 == package || $0.hasPrefix(package + "t") }, "\(package) in \(packages)")
        }
    }

    @Test("runs every example where there is no toolchain", .enabled(if: canHide, "it takes a mount namespace"))
    func examples() throws {
        let tool = try hidden(
            """
            "$0/usr/local/bin/taskhost" run --all --payload-text 123456789 --quiet --json --state "$1"
            """)
        #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
        let outcomes = tool.output.components(separatedBy: #""outcome":"succeeded""#)
        #expect(outcomes.count == 9, "eight runs: \(tool.output)\(tool.errors)")
    }

    @Test(
        "runs a plugin that was linked against the toolchain of another machine",
        .enabled(if: canHide, "it takes a mount namespace"), arguments: ["zygote", "run", "exec"])
    func foreignSearchPath(_ isolation: String) throws {
        let plugin = try Folder()
        try plugin.write(
            "manifests/com.MeasurementSample.json",
            """
            {"identifier": "com.MeasurementSample", "library": "libSeedSample.so", "backgroundModes": ["fetch"],
             "isolation": "\(isolation)", "tasks": {"com.MeasurementSample.refresh": {"kind": "appRefresh"}}}
            """)
        // As the linker made it, with the search path of this machine's toolchain.
        try plugin.write(
            "manifests/libSeedSample.so", try Data(contentsOf: try Places.products.appending(path: "libSeedSample.so")))
        let tool = try hidden(
            """
            "$0/usr/local/bin/taskhost" run com.MeasurementSample.refresh --manifests "\(plugin.path)/manifests" \
                --json --state "$1"
            """)
        #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
        #expect(tool.output.contains(#""outcome":"succeeded""#), "\(tool.output)\(tool.errors)")
    }

    /// Runs a shell's lines where the toolchain's folder is empty; `$0` is the tree, `$1` a state folder.
    private func hidden(_ lines: String) throws -> Tool {
        let state = try Folder()
        return try Tool.execute(
            "/usr/bin/env",
            [
                "unshare", "-m", "sh", "-c",
                "mount -t tmpfs none '\(try Self.runtime.get())' || exit 99; cd /\n" + lines, try Self.tree.get().path,
                state.file("state").path,
            ])
    }

    private static let canHide: Bool = {
        let arguments = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]
        return (try? Tool.execute("/usr/bin/env", arguments))?.status == 0
    }()
}
