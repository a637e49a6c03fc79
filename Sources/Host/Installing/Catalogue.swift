import Linux
package import Manifests
package import TaskModel
import Glibc

/// The manifests of some folders and files, read and checked together with their libraries. No library code runs.
package struct Catalogue {
    /// What was found good, in the order of the files' names.
    package private(set) var applications: [InstalledApplication] = []
    /// All faults of all files, and the faults between them.
    package private(set) var diagnostics: [Diagnostic] = []
    /// Paths that cannot be read at all, with what to do.
    package private(set) var unreadable: [String] = []
    /// The tasks of all sound manifests, wanted or not.
    package private(set) var identifiers: [String] = []
    /// What applications of all sound manifests may write, wanted or not, beside their own folders.
    package private(set) var writable: [String] = []
    /// The manifest files that there are, as they were named.
    package private(set) var present: [String] = []
    /// Those of which nothing can be used.
    package var brokenPaths: [String] {
        let good = Set(applications.map(\.definition.manifestPath))
        return present.filter { !good.contains($0) }
    }
    /// How many manifest files were looked at.
    package var fileCount: Int { present.count }

    /// - Parameters:
    ///   - paths: folders (every `*.json` but schema.json in them) or manifest files.
    ///   - timeZones: those that the schedules of wanted applications may name.
    ///   - wanted: whose libraries are looked at; the other applications are left out.
    package init(
        _ paths: [String], profile: LimitsProfile, timeZones: TimeZones = TimeZones(),
        where wanted: (ApplicationDefinition) -> Bool = { _ in true }
    ) {
        var results: [ManifestResult] = []
        var seen: Set<String> = []
        for path in paths {
            for (folder, name) in files(of: path) {
                // One that is named again, itself or by its folder, counts once.
                guard seen.insert((FileSystem.realPath(folder) ?? folder) + "/" + name).inserted else { continue }
                present.append(folder == "." ? name : folder + "/" + name)
                if let result = read(name, in: folder, profile) { results.append(result) }
            }
        }
        let conflicts = CrossCheck.conflicts(among: results)
        let refused = Set(conflicts.map(\.file))
        for result in results {
            diagnostics += result.diagnostics
            guard let definition = result.application, !refused.contains(result.file) else { continue }
            identifiers += definition.tasks.map(\.identifier)
            writable += WritableFolders.paths(of: definition)
            guard wanted(definition) else { continue }
            diagnostics += LinkedGrants.warnings(of: definition, places: result.places)
            var inspector = LibraryInspector(definition, places: result.places)
            let application = inspector.inspect()
            let unknown = timeZones.unknown(in: definition, places: result.places)
            diagnostics += inspector.diagnostics + unknown
            if let application, unknown.isEmpty { applications.append(application) }
        }
        diagnostics += conflicts
    }

    package var hasErrors: Bool { !unreadable.isEmpty || diagnostics.contains { $0.severity == .error } }

    /// Why nothing can be read at a path, with what to do; nil for a folder or file that can be read, good or not.
    package static func fault(of path: String) -> String? {
        do throws(SystemError) {
            if try names(at: path) == nil { _ = try Descriptor.open(path, O_RDONLY | O_NONBLOCK) }
            return nil
        } catch {
            return sentence(error, path)
        }
    }

    /// The names in a folder; nil for a file.
    private static func names(at path: String) throws(SystemError) -> [String]? {
        try FileSystem.followedFacts(of: path).isFolder ? FileSystem.names(in: path) : nil
    }

    private static func sentence(_ error: SystemError, _ path: String) -> String {
        error.code == ENOENT
            ? "there is no such folder or manifest; \(path); name another with --manifests, or make it"
            : "the manifests cannot be read; \(error); check the path and its permissions"
    }

    private mutating func files(of path: String) -> [(folder: String, name: String)] {
        do throws(SystemError) {
            guard let names = try Self.names(at: path) else {
                let place = FilePlace(path)
                return [(place.folder, place.name)]
            }
            let manifests = names.filter { $0.hasSuffix(".json") && $0 != "schema.json" && !$0.hasPrefix(".") }
            if manifests.isEmpty {
                unreadable.append("there is no manifest; \(path); put a file named <application>.json into it")
            }
            return manifests.map { (path, $0) }
        } catch {
            unreadable.append(Self.sentence(error, path))
            return []
        }
    }

    private mutating func read(_ name: String, in folder: String, _ profile: LimitsProfile) -> ManifestResult? {
        let path = folder == "." ? name : folder + "/" + name
        do throws(TrustFault) {
            let real = FileSystem.realPath(folder) ?? folder
            let file = try TrustedFile.open(name, in: folder)
            do throws(SystemError) {
                let bytes = try FileSystem.read(file, limit: ManifestLimits.fileBytes, naming: path)
                return ManifestDecoder.decode(bytes: bytes, path: path, folder: real, profile: profile)
            } catch {
                let reason = error.code == EFBIG ? "it is longer than \(ManifestLimits.fileBytes) bytes" : "\(error)"
                unreadable.append("the manifest cannot be read; \(path): \(reason); make it readable and shorter")
            }
        } catch {
            unreadable.append("the manifest is not used; \(path): \(error.sentence)")
        }
        return nil
    }
}
