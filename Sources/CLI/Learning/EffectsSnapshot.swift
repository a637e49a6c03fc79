import Linux

/// What a run left in folders and files: for each what it made or changed, and what is gone.
struct Effects: Equatable {
    struct Mark: Hashable {
        var mode: UInt32
        var size: UInt64
        /// nil: it is no regular file, or a large one.
        var digest: [UInt8]?
    }

    var changed: [String: Mark] = [:]
    var removed: Set<String> = []
}

/// What there is in folders and files, at one moment.
struct EffectsSnapshot {
    /// Files and folders that are looked at, and bytes of a file whose digest is taken.
    private static let (mostEntries, mostBytes) = (20_000, UInt64(1 << 30))

    private var facts: [String: FileSystem.Facts] = [:]

    init(of places: [String]) {
        var rest = places
        while let path = rest.popLast(), facts.count < Self.mostEntries {
            guard facts[path] == nil, let own = try? FileSystem.facts(ofPath: path) else { continue }
            facts[path] = own
            if own.isFolder { rest += ((try? FileSystem.names(in: path)) ?? []).map { "\(path)/\($0)" } }
        }
    }

    func effects(since earlier: EffectsSnapshot) -> Effects {
        var effects = Effects()
        for (path, now) in facts where earlier.facts[path]?.changed != now.changed {
            // A folder changes with what is in it.
            if now.isFolder, earlier.facts[path] != nil { continue }
            effects.changed[path] = Effects.Mark(
                mode: now.mode, size: now.isFile ? now.size : 0,
                digest: now.isFile && now.size <= Self.mostBytes ? Self.digest(of: path) : nil)
        }
        effects.removed = Set(earlier.facts.keys).subtracting(facts.keys)
        return effects
    }

    private static func digest(of path: String) -> [UInt8]? {
        guard let file = try? Descriptor.open(path, [.O_RDONLY, .O_NOFOLLOW, .O_NONBLOCK]) else { return nil }
        return try? FileDigest.sha256(of: file.number)
    }
}
