/// The kind of a task. The numbers are those of `TASKHOST_KIND_…` in taskhost.h.
package enum TaskKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case appRefresh = 1
    case processing = 2
    case continuedProcessing = 3
    case healthResearch = 4

    /// What the compiler derives is called through a table from other modules, on the path of every request.
    @inlinable @inline(__always) package static func == (left: TaskKind, right: TaskKind) -> Bool {
        unsafeBitCast(left, to: UInt8.self) == unsafeBitCast(right, to: UInt8.self)
    }

    /// The word used in manifests, JSON and on screens.
    package var name: String { String(describing: self) }

    /// The word among an application's background modes that its tasks need; nil: none.
    package var backgroundMode: String? {
        switch self {
        case .appRefresh: "fetch"
        case .processing: "processing"
        case .continuedProcessing, .healthResearch: nil
        }
    }

    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
