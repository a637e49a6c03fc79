import TaskModel
import Workers

/// Control groups of ended workers, kept for the next workers of their applications. Each holds descriptors and folders: the
/// oldest go first.
struct SpareGroups {
    private struct Entry {
        let group: ControlGroup
        let application: ApplicationIndex
    }

    /// Groups kept of one application, and in all.
    private let mostOfOne: Int
    private let most: Int
    /// Oldest first.
    private var entries: [Entry] = []

    init(mostOfOne: Int, most: Int) {
        self.mostOfOne = mostOfOne
        self.most = most
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The one that was added last.
    mutating func take(of application: ApplicationIndex) -> ControlGroup? {
        entries.lastIndex { $0.application == application }.map { entries.remove(at: $0).group }
    }

    /// Keeps a group, and returns one that has to be removed for it: the group itself, if its application has enough.
    mutating func keep(_ group: ControlGroup, of application: ApplicationIndex) -> ControlGroup? {
        guard entries.count(where: { $0.application == application }) < mostOfOne else { return group }
        entries.append(Entry(group: group, application: application))
        return entries.count > most ? entries.removeFirst().group : nil
    }

    /// All of an application; nil: all there are.
    mutating func takeAll(of application: ApplicationIndex? = nil) -> [ControlGroup] {
        let taken = entries.filter { application == nil || $0.application == application }
        entries.removeAll { application == nil || $0.application == application }
        return taken.map(\.group)
    }
}
