import Conditions
import Host
import Linux
import Setting
import TaskModel

/// Has a manifest read again when a library or a program of its tasks appears, changes or goes. Thread: the loop's.
final class HandlerFollowing {
    /// The place of a manifest among the paths that are read, and its name there.
    private var places: [String: (path: Int, name: String)] = [:]
    private let files: HandlerFiles
    private unowned let host: Host

    /// - Parameter read: receives a manifest that has to be read again.
    init(_ host: Host, read: @escaping (ManifestWatch.Change) -> Void) throws(HostError) {
        self.host = host
        var known: () -> [String: (path: Int, name: String)] = { [:] }
        files = try HostError.rethrowing(
            system: HandlerFiles { manifest in
                guard let place = known()[manifest] else { return }
                read(ManifestWatch.Change(folder: place.path, names: [place.name]))
            })
        known = { [unowned self] in places }
        try host.add(files)
    }

    /// Watches what the manifests that were just read, or are gone, run.
    func follow(_ reader: ManifestReader) {
        let now = host.decider.now.instant
        for entry in reader.removed {
            places[entry.path] = nil
            files.set([], of: entry.path, at: now)
        }
        let found = Set(reader.found.map(ObjectIdentifier.init))
        for (index, path) in reader.paths.enumerated() {
            for entry in path.entries where found.contains(ObjectIdentifier(entry)) {
                places[entry.path] = (index, entry.name)
                files.set(entry.steps, of: entry.path, at: now)
            }
        }
    }

    /// A file system was mounted or unmounted.
    func mountsChanged(at now: Instant) { files.mountsChanged(at: now) }
}
