import Linux
package import Manifests
package import TaskModel

/// The manifests of some folders and files, read and checked together with their libraries. No library code runs.
package struct Catalogue {
    /// The valid applications, in the order of their files' names.
    package private(set) var applications: [InstalledApplication] = []
    /// All faults of all files, and the faults between them.
    package private(set) var diagnostics: [Diagnostic] = []
    /// Paths that cannot be read at all, with what to do.
    package private(set) var unreadable: [String] = []
    /// The tasks of all valid manifests, wanted or not.
    package private(set) var identifiers: [String] = []
    /// Paths that applications of all valid manifests may write, wanted or not, in addition to their own folders.
    package private(set) var writable: [String] = []
    /// How many manifest files were read.
    package private(set) var fileCount = 0

    /// Reads everything at once; see `ManifestReader` for doing so in steps.
    ///
    /// - Parameters:
    ///   - paths: folders (every `*.json` but schema.json in them) or manifest files.
    ///   - accounts: which users of the machine applications may run as.
    ///   - timeZones: those that the schedules of wanted applications may name.
    ///   - wanted: the applications whose libraries are inspected; the others are skipped.
    package init(
        _ paths: [String], profile: LimitsProfile, accounts: AccountRules = AccountRules(HostConfiguration()),
        timeZones: TimeZones = TimeZones(),
        where wanted: (ApplicationDefinition) -> Bool = { _ in true }
    ) {
        self = withoutActuallyEscaping(wanted) { wanted in
            let reader = ManifestReader(
                paths, profile: profile, accounts: accounts, timeZones: { timeZones }, where: wanted)
            reader.begin(.all)
            while reader.step() {}
            return Catalogue(reader)
        }
    }

    /// The results of a reader.
    ///
    /// - Parameter only: the path of the one manifest that they are about; nil: of all.
    package init(_ reader: ManifestReader, only: String? = nil) {
        var conflicts: [Diagnostic] = []
        if only == nil { unreadable = reader.pathFaults }
        for path in reader.paths {
            for entry in path.entries where only == nil || entry.path == only {
                fileCount += 1
                if let sentence = entry.unreadable { unreadable.append(sentence) }
                diagnostics += entry.diagnostics
                conflicts += entry.conflicts
                if let application = entry.application {
                    applications.append(application)
                    if let places = entry.result?.places {
                        diagnostics += RunSecrets.diagnostics(of: application.definition, places: places)
                    }
                }
                guard let definition = entry.result?.application, entry.conflicts.isEmpty else { continue }
                identifiers += definition.tasks.map(\.identifier)
                writable += WritableFolders.paths(of: definition)
            }
        }
        diagnostics += conflicts
    }

    /// For checks of manifests: a task that no request can ever start is an error.
    package var strict: Self {
        var strict = self
        strict.diagnostics = diagnostics.map(\.strict)
        return strict
    }

    package var hasErrors: Bool { !unreadable.isEmpty || diagnostics.contains { $0.severity == .error } }

    /// Why nothing can be read at a path, with what to do; nil for a folder or file that can be read, good or not.
    package static func fault(of path: String) -> String? {
        do throws(SystemError) {
            if try names(at: path) == nil { _ = try Descriptor.open(path, [.O_RDONLY, .O_NONBLOCK]) }
            return nil
        } catch {
            return sentence(error, path)
        }
    }

    /// The names in a folder; nil for a file.
    private static func names(at path: String) throws(SystemError) -> [String]? {
        try FileSystem.followedFacts(of: path).isFolder ? FileSystem.names(in: path) : nil
    }

    static func sentence(_ error: SystemError, _ path: String) -> String {
        error.code == .ENOENT
            ? "there is no such folder or manifest; \(path); name another with --manifests, or create it"
            : "the manifests cannot be read; \(error); check the path and its permissions"
    }
}
