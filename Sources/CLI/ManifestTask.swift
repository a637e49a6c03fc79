import Control
import JSON
import Linux
import Manifests
import Setting
import TaskModel

/// A task of a manifest, and the manifest's file.
struct ManifestTask {
    let task: TaskDefinition
    let application: InstalledApplication
    /// Where the manifest is, without links.
    let path: String
    /// Its text when the task was found.
    let text: [UInt8]

    /// By its identifier or its last part, of the folders that a host serves, or else of those where `run` looks.
    init(
        _ word: String, _ arguments: Arguments, _ configuration: HostConfiguration, _ terminal: Terminal
    ) throws(Failure) {
        let folders = try Self.folders(arguments)
        let catalogue = Catalogue(folders, profile: configuration.profile, accounts: AccountRules(configuration))
        let all = catalogue.applications.flatMap { application in
            application.definition.tasks.map { (task: $0, application: application) }
        }
        var matches = all.filter { $0.task.identifier == word }
        if matches.isEmpty {
            let short = ShortName.matches(word, among: all.map(\.task.identifier))
            guard short.count < 2 else { throw ShortName.ambiguous(word, short) }
            matches = all.filter { short.contains($0.task.identifier) }
        }
        guard let found = matches.first else {
            if catalogue.hasErrors { throw BadManifests.failure(catalogue, terminal) }
            let near = Nearest.match(for: word, among: catalogue.identifiers)
            throw .usage(
                "no manifest has this task; \(word); "
                    + (near.map { "did you mean \($0)?" } ?? "see taskhost list for those there are"))
        }
        guard found.application.tasks.contains(where: { $0.identifier == found.task.identifier }) else {
            let faults = catalogue.diagnostics.filter { $0.path.contains("\"\(found.task.identifier)\"") }
            throw .badManifest(
                "the task cannot run; \(found.task.identifier): \(faults.first.map { "\($0)" } ?? "its program is missing"); "
                    + "correct that first", faults)
        }
        (task, application) = found
        let path = found.application.definition.manifestPath
        self.path = FileSystem.realPath(path) ?? path
        text = Self.text(of: self.path) ?? []
    }

    /// nil: it cannot be read.
    static func text(of manifest: String) -> [UInt8]? {
        guard let file = try? Descriptor.open(manifest, [.O_RDONLY, .O_NONBLOCK]) else { return nil }
        return try? FileSystem.read(file, limit: ManifestLimits.fileBytes, naming: manifest)
    }

    private static func folders(_ arguments: Arguments) throws(Failure) -> [String] {
        if arguments.all("--manifests").isEmpty, let client = try HostAccess.openIfServed(arguments) {
            return try client.document(.host)["manifests"]?.array?.compactMap(\.string) ?? []
        }
        return try Places.manifests(arguments)
    }
}
