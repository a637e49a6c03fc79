import Linux
import TaskModel

/// What a run left in folders and files: for each what it made or changed, and what is gone.
struct Effects: Equatable {
    struct Mark: Hashable {
        var mode: UInt32
        var owner: UInt32
        var group: UInt32
        var size: UInt64
        /// Its content is said to be older than the run: that was kept, or set.
        var isOld: Bool
        /// nil: it is no regular file, or a large one.
        var digest: [UInt8]?
    }

    var changed: [String: Mark] = [:]
    var removed: Set<String> = []
}

/// What there is in folders and files, at one moment.
struct EffectsSnapshot {
    /// Files and folders that are looked at, and bytes of which digests are taken.
    private static let (mostEntries, mostBytes) = (20_000, UInt64(1 << 30))

    /// Times of files follow the clock in steps.
    private static let clockStep: Int64 = 20_000_000

    private var facts: [String: FileSystem.Facts] = [:]

    init(of places: [String]) {
        var rest = places
        while let path = rest.popLast(), facts.count < Self.mostEntries {
            guard facts[path] == nil, let own = try? FileSystem.facts(ofPath: path) else { continue }
            facts[path] = own
            if own.isFolder { rest += ((try? FileSystem.names(in: path)) ?? []).map { "\(path)/\($0)" } }
        }
    }

    /// - Parameter begin: of the run.
    func effects(since earlier: EffectsSnapshot, begin: Timestamp) -> Effects {
        var effects = Effects()
        var rest = Self.mostBytes
        for (path, now) in facts where earlier.facts[path]?.changed != now.changed {
            // A folder changes with what is in it.
            if now.isFolder, earlier.facts[path] != nil { continue }
            let isRead = now.isFile && now.size <= rest
            if isRead { rest -= now.size }
            effects.changed[path] = Effects.Mark(
                mode: now.mode, owner: now.user, group: now.group, size: now.isFile ? now.size : 0,
                isOld: now.isFile && now.modified < begin.nanoseconds - Self.clockStep,
                digest: isRead ? FileDigest.sha256(ofPath: path, followsLast: false) : nil)
        }
        effects.removed = Set(earlier.facts.keys).subtracting(facts.keys)
        return effects
    }

    /// Sizes of the regular files that were made or changed from then on.
    func sizes(since begin: Timestamp) -> [String: UInt64] {
        facts.filter { $0.value.isFile && $0.value.changed >= begin.nanoseconds }.mapValues(\.size)
    }
}
