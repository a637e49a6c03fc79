/// The kind of a task. The numbers are those of `TASKHOST_KIND_…` in taskhost.h.
package enum TaskKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case appRefresh = 1
    case processing = 2
    case continuedProcessing = 3
    case healthResearch = 4

    /// The word used in manifests, JSON and on screens.
    package var name: String { String(describing: self) }

    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
