package import Control
package import JSON

/// What the page does with manifests: in the proxy's own process and with its user's rights, never the daemon's.
///
/// *Thread*: the loop's. Nothing waits for anything but the disk.
package protocol PageManifests: AnyObject {
    /// Bytes of a manifest at most.
    var mostBytes: Int { get }

    /// A manifest's text, its faults, and whether this user can write it.
    ///
    /// - Parameter path: as the daemon names it; it is one of `known`.
    func show(_ path: String, of known: KnownManifests, isReadOnly: Bool) throws(Problem) -> JSONOutput

    /// The faults of a text that is, or would be, at a path; nil: of a new file.
    func check(_ text: String, at path: String?, of known: KnownManifests) throws(Problem) -> JSONOutput

    /// Writes a text without errors.
    ///
    /// - Parameter digest: of the text that it replaces; nil: the file is new.
    /// - Returns: 200 or 201 when it is written, 422 with the faults when it has errors.
    func write(
        _ text: String, at path: String?, replacing digest: String?, of known: KnownManifests
    ) throws(Problem) -> ControlReply

    /// The text of a manifest for a command, and where it would be written.
    func propose(_ job: ProposedJob, of known: KnownManifests) throws(Problem) -> JSONOutput
}

/// Which manifests the daemon has.
package struct KnownManifests: Sendable {
    /// Of its files, as it names them.
    package var paths: Set<String>
    /// The folders and files that it was told to read, absolute.
    package var places: [String]

    package init(paths: Set<String>, places: [String]) {
        self.paths = paths
        self.places = places
    }

    /// Whether the daemon has read a file of that path, which may be absolute where the daemon's own name for it is not.
    package func has(_ path: String) -> Bool {
        paths.contains(path) || paths.contains { !$0.hasPrefix("/") && absolute($0) == path }
    }

    /// Where a file is that the daemon names by its own working folder; nil: unknown.
    package func absolute(_ path: String) -> String? {
        guard !path.hasPrefix("/") else { return path }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(path[..<$0]) } ?? "."
        let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
        let found = places.compactMap { place in
            if place.hasSuffix("/" + path) { return place }
            return place.hasSuffix("/" + folder) ? "\(place)/\(name)" : nil
        }
        return found.count == 1 ? found[0] : nil
    }
}

/// A command that is to become a task.
package struct ProposedJob: Sendable, Equatable {
    package var identifier: String
    /// The program, then its arguments.
    package var command: [String]
    /// `every 1h`, five fields of cron, or one of its words such as `@daily`; nil: none.
    package var schedule: String?

    package init(identifier: String, command: [String], schedule: String?) {
        self.identifier = identifier
        self.command = command
        self.schedule = schedule
    }
}
