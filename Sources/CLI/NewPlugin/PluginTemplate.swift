import Manifests
import TaskModel

/// The files of a new plugin, with everything filled in.
struct PluginTemplate {
    enum Language: String, CaseIterable {
        case c
        case swift
    }

    /// What to create.
    enum Shape {
        /// A handler that the manifest names.
        case handler(Language)
        /// An application of the Swift SDK, with its place.
        case application(SwiftSDKPlace)
        /// One without tasks, which is called for its events.
        case events(SwiftSDKPlace)
        /// A package with an application delegate and tests.
        case ios(SwiftSDKPlace)
        /// A package with background tasks and tests.
        case plain(SwiftSDKPlace)
        /// A program with a test.
        case command

        /// It has a task ID.refresh.
        var hasRefresh: Bool {
            switch self {
            case .application, .ios, .plain: true
            case .handler, .events, .command: false
            }
        }
    }

    struct File {
        /// Relative to the plugin's folder.
        var path: String
        var text: String
        /// It is to be executed.
        var isProgram: Bool { path.hasSuffix(".sh") }
    }

    let files: [File]
    /// What `taskhost run` runs of it first.
    let run: String
    /// The identifier's last label, which the folder is called by default.
    let label: String

    /// - Throws: why the identifier is none.
    init(identifier: String, shape: Shape) throws(SyntaxFault) {
        try IdentifierSyntax.check(identifier)
        if shape.hasRefresh { try IdentifierSyntax.check(identifier + ".refresh") }
        let label = identifier.split(separator: ".").last.map(String.init) ?? identifier
        self.label = label
        if case .events = shape {
            run = EventTasks.identifier(.backgroundFetch, of: identifier)
        } else {
            run = identifier
        }
        var substitutes = [
            ("@IDENTIFIER@", identifier), ("@RUN@", run),
            ("@NAME@", Self.name(label)), ("@LABEL@", label),
            ("@FUNCTION@", "run_" + label.map { $0 == "-" ? "_" : $0 }),
        ]
        switch shape {
        case .handler(.c): substitutes.append(("@SOURCE@", "plugin.c"))
        case .handler(.swift): substitutes.append(("@SOURCE@", "Sources/Plugin.swift"))
        case .command: break
        case .application(let place), .events(let place), .ios(let place), .plain(let place):
            substitutes.append(("@SDK@", place.command))
        }
        let texts = substitutes
        func filled(_ text: String) -> String {
            texts.reduce(text) { text, pair in text.replacing(pair.0, with: pair.1) }
        }
        files = Self.templates(shape).map { File(path: filled($0.path), text: filled($0.text)) }
    }

    /// Libraries with these names would replace the system's, and no module may be called Swift.
    private static let taken = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "Testing", "XCTest",
    ]

    /// The label's words with capitals, as in `libDatabaseCare.so`; a digit cannot begin the name of a Swift module.
    private static func name(_ label: String) -> String {
        let words = label.split { $0 == "-" || $0 == "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let name = words.joined()
        if taken.contains(name) { return name + "Plugin" }
        return name.first?.isLetter == true ? name : "Plugin" + name
    }

    /// The files of `Templates`, built into the program, so that it needs none beside it. The public header comes from where
    /// plugins get it.
    private static func templates(_ shape: Shape) -> [File] {
        func file(_ path: String, _ text: [UInt8]) -> File {
            File(path: path, text: String(decoding: text, as: UTF8.self))
        }
        typealias Templates = PackageResources
        let ignore = file(".gitignore", Templates.gitignore_template)
        let manifest = "manifests/@IDENTIFIER@.json"
        let handler = [
            file("README.md", Templates.handler_README_md_template), ignore,
            file("include/taskhost.h", Templates.taskhost_h), file(manifest, Templates.handler_manifest_json_template),
        ]
        let application = [ignore, file("Makefile", Templates.application_Makefile_template)]
        let package = [
            ignore, file("README.md", Templates.package_README_md_template),
            file("Makefile", Templates.package_Makefile_template),
            file("Package.swift", Templates.package_Package_swift_template),
        ]
        return switch shape {
        case .handler(.c):
            handler + [
                file("Makefile", Templates.c_Makefile_template), file("plugin.c", Templates.c_plugin_c_template),
                file("include/taskhost_transfer.h", Templates.taskhost_transfer_h),
            ]
        case .handler(.swift):
            handler + [
                file("Makefile", Templates.swift_Makefile_template),
                file("Package.swift", Templates.swift_Package_swift_template),
                file("Sources/Plugin.swift", Templates.swift_Plugin_swift_template),
                file("include/module.modulemap", Templates.swift_module_modulemap_template),
            ]
        case .application:
            application + [
                file("README.md", Templates.application_README_md_template),
                file("Sources/AppDelegate.swift", Templates.application_AppDelegate_swift_template),
                file(manifest, Templates.application_manifest_json_template),
            ]
        case .ios:
            package + [
                file("Sources/Application/AppDelegate.swift", Templates.ios_AppDelegate_swift_template),
                file("Sources/Plugin/Plugin.swift", Templates.ios_Plugin_swift_template),
                file("Tests/ApplicationTests.swift", Templates.ios_Tests_swift_template),
                file(manifest, Templates.application_manifest_json_template),
            ]
        case .plain:
            package + [
                file("Sources/Application/Application.swift", Templates.plain_Application_swift_template),
                file("Sources/Plugin/Plugin.swift", Templates.plain_Plugin_swift_template),
                file("Tests/ApplicationTests.swift", Templates.plain_Tests_swift_template),
                file(manifest, Templates.plain_manifest_json_template),
            ]
        case .command:
            [
                ignore, file("README.md", Templates.command_README_md_template),
                file("Makefile", Templates.command_Makefile_template),
                file("test.sh", Templates.command_test_sh_template),
                file("manifests/@LABEL@.sh", Templates.command_program_sh_template),
                file(manifest, Templates.command_manifest_json_template),
            ]
        case .events:
            application + [
                file("README.md", Templates.events_README_md_template),
                file("Sources/AppDelegate.swift", Templates.events_AppDelegate_swift_template),
                file(manifest, Templates.events_manifest_json_template),
            ]
        }
    }
}
