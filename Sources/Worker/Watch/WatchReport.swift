import Learning
import Linux

/// What was seen so far, each once, in a file: it is there also when the watcher is killed.
final class WatchReport: CallReport {
    /// Observations that are kept, and names in one folder before the folder stands for them.
    private static let (most, mostOfFolder) = (20_000, 256)

    private let file: Descriptor
    private var seen: Set<Observation.Key> = []
    /// Files that were read, by their folder.
    private var read: [String: Int] = [:]
    private var isFull = false

    /// - Parameter path: a file of this user that is there.
    init(_ path: String) throws(SystemError) {
        file = try Descriptor.open(path, [.O_WRONLY, .O_APPEND, .O_NOFOLLOW])
    }

    /// Notes it, unless it is noted.
    func add(_ kind: Observation.Kind, _ place: String, _ detail: String, by program: () -> String) {
        let key = Observation.Key(kind, place)
        guard !seen.contains(key) else { return }
        guard kind == .read else {
            return write(Observation(kind, place, by: program(), detail: detail), key)
        }
        let folder = LearnedPlaces.folder(of: place)
        let count = read[folder, default: 0] + 1
        read[folder] = count
        if count <= Self.mostOfFolder { return write(Observation(kind, place, by: program(), detail: detail), key) }
        // A folder with very many files is needed as a whole.
        let whole = Observation.Key(.list, folder)
        if !seen.contains(whole) { write(Observation(.list, folder, by: program(), detail: "many files"), whole) }
    }

    private func write(_ observation: Observation, _ key: Observation.Key) {
        guard seen.count < Self.most || observation.kind == .ended else {
            if !isFull { put(Observation(.truncated, "\(Self.most)")) }
            isFull = true
            return
        }
        seen.insert(key)
        put(observation)
    }

    private func put(_ observation: Observation) {
        _ = try? FileSystem.write(Array(observation.line.utf8), to: file, naming: "the report")
    }
}
