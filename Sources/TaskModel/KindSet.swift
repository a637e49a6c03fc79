/// Some kinds of tasks.
package struct KindSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package init(_ kind: TaskKind) { rawValue = 1 << (kind.rawValue - 1) }

    /// What background refresh means: refreshes, fetches and remote notifications.
    package static let refresh: KindSet = [
        KindSet(.appRefresh), KindSet(.backgroundFetch), KindSet(.remoteNotification),
    ]
    /// Processing and health research: long work that may wait for a good moment.
    package static let long: KindSet = [KindSet(.processing), KindSet(.healthResearch)]
    package static let continued = KindSet(.continuedProcessing)
    /// All except continued processing, which the user wants now.
    package static let background: KindSet = [.refresh, .long]
    package static let all: KindSet = [.background, .continued]

    package func contains(_ kind: TaskKind) -> Bool { contains(KindSet(kind)) }

    /// The kinds in words, for documents.
    package var words: String {
        switch self {
        case .all: "all"
        case .background: "all but continued"
        case .long: "processing"
        case .refresh: "refresh"
        default: TaskKind.allCases.filter(contains).map(\.name).joined(separator: ", ")
        }
    }
}
