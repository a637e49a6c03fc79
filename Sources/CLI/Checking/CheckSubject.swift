import Linux
import Manifests
import Setting
import TaskModel

/// The library that is checked, and its handlers.
struct CheckSubject {
    let library: String
    /// The application to run; nil when its file already is at fault.
    private(set) var application: InstalledApplication?

    /// Finds the library and what names its handlers. Faults of the plugin go to the report; those of the command line are
    /// thrown.
    init(_ arguments: Arguments, into report: inout CheckReport) throws(Failure) {
        let word = try arguments.onlyWord(of: CheckVerb.name, "library", "write the path of its file")
        guard let path = FileSystem.realPath(word) else {
            throw .usage("there is no such library; \(word); build it, or correct the path")
        }
        library = path
        guard !arguments.has("--symbol") || !arguments.has("--manifest") else {
            throw .usage("--symbol and --manifest exclude each other; taskhost check; leave one out")
        }
        var inspector = LibraryInspector(Self.definition(of: path, tasks: []), needsTasks: false)
        guard let bare = inspector.inspect(), let file = bare.library else {
            report.add(nil, "library", false, Self.words(inspector.diagnostics))
            return
        }
        report.add(nil, "library", true, "found, trusted, for this machine")
        if let symbol = arguments.value("--symbol") {
            inspect(Self.definition(of: path, tasks: [Self.task(symbol)]), into: &report)
        } else {
            try findManifest(arguments, isApplication: file.isApplication, into: &report)
        }
    }

    // MARK: Without a manifest

    private static func definition(of library: String, tasks: [TaskDefinition]) -> ApplicationDefinition {
        ApplicationDefinition(
            identifier: "org.taskhost.check", library: library, tasks: tasks, manifestPath: library,
            manifestFolder: FilePlace(library).folder)
    }

    private static func task(_ symbol: String) -> TaskDefinition {
        let wallClock = TimeSpan.seconds(30)
        return TaskDefinition(
            identifier: "org.taskhost.check.handler", kind: .processing, handler: .symbol(symbol),
            budget: Budget(
                wallClock: wallClock, cpuTime: nil, memory: Budget.defaultMemory,
                grace: Budget.defaultGrace(for: wallClock)))
    }

    private mutating func inspect(_ definition: ApplicationDefinition, into report: inout CheckReport) {
        var inspector = LibraryInspector(definition)
        application = inspector.inspect().flatMap { inspector.leftOut.isEmpty ? $0 : nil }
        describe(inspector.diagnostics, into: &report)
    }

    private func describe(_ faults: [Diagnostic], into report: inout CheckReport) {
        guard let application else {
            return report.add(nil, "exports", false, Self.words(faults))
        }
        let names = application.tasks.map { task in
            switch task.handler {
            case .symbol(let name): name
            case .foreign(let function): function.symbol
            case .command(let command): command.words[0]
            case .registered, .event: "taskhost_application_v1"
            }
        }
        report.add(nil, "exports", true, Set(names).sorted().joined(separator: ", "))
    }

    // MARK: With a manifest

    private mutating func findManifest(
        _ arguments: Arguments, isApplication: Bool, into report: inout CheckReport
    ) throws(Failure) {
        let given = arguments.value("--manifest")
        let name = FilePlace(library).name
        let catalogue = Catalogue(given.map { [$0] } ?? folders(arguments), profile: .modern) { definition in
            given != nil || definition.library.map { FilePlace($0).name } == name
        }
        if let found = catalogue.applications.first(where: { $0.library?.path == library }) {
            application = Self.restricted(found)
            describe([], into: &report)
            return
        }
        let faults = catalogue.diagnostics.filter { fault in
            fault.severity == .error && (given != nil || fault.found.contains(library))
        }
        if !faults.isEmpty {
            report.add(nil, "exports", false, Self.words(faults))
        } else if let given {
            throw .badManifest(
                catalogue.unreadable.first
                    ?? "the manifest names another library; \(given); name the manifest of \(library)")
        } else {
            throw .usage(
                "no manifest names the library; \(library); "
                    + (isApplication
                        ? "name its manifest with --manifest"
                        : "name its manifest with --manifest, or a handler with --symbol"))
        }
    }

    /// Tasks that other libraries serve are not this one's business.
    private static func restricted(_ application: InstalledApplication) -> InstalledApplication {
        let own = application.tasks.filter { task in
            if case .foreign(let function) = task.handler { return function.library == nil }
            return true
        }
        return InstalledApplication(
            definition: application.definition, library: application.library, tasks: own,
            libraryFolders: application.libraryFolders)
    }

    /// Beside the library and where `run` looks.
    private func folders(_ arguments: Arguments) -> [String] {
        let given = arguments.all("--manifests")
        guard given.isEmpty else { return given }
        let own = FilePlace(library).folder
        let usual = (try? Places.manifests(arguments)) ?? []
        return ([own, own + "/manifests", own + "/../manifests"] + usual).filter {
            (try? FileSystem.followedFacts(of: $0))?.isFolder == true
        }
    }

    private static func words(_ faults: [Diagnostic]) -> String {
        faults.filter { $0.severity == .error }.map { fault in
            "found \(fault.found); expected \(fault.expected)" + (fault.hint.map { "; \($0)" } ?? "")
        }.joined(separator: "; ")
    }
}
