/// How a run differs from the usual ones of its task (`UsualRuns`).
package struct RunDifference: Sendable, Equatable, BitwiseCopyable {
    package enum Kind: UInt8, NamedCases, Sendable, BitwiseCopyable {
        case shorter = 1
        case longer = 2
        case larger = 3
        case moreOften = 4
        case lessOften = 5

        /// In lists: `longer than usual`.
        package var words: String {
            switch self {
            case .shorter, .longer, .larger: "\(name) than usual"
            case .moreOften: "more often than usual"
            case .lessOften: "less often than usual"
            }
        }

        /// What was compared, by the key of a run's document; an interval has none.
        package var figure: String {
            switch self {
            case .shorter, .longer: "wallTime"
            case .larger: "peakMemory"
            case .moreOften, .lessOften: "interval"
            }
        }
    }

    package var kind: Kind
    /// The run's: nanoseconds, or bytes.
    package var value: Int64
    /// What nine of ten of its task's last runs did not pass; likewise.
    package var usual: Int64

    package init(_ kind: Kind, value: Int64, usual: Int64) {
        self.kind = kind
        self.value = value
        self.usual = usual
    }

    package var sentence: String {
        let (value, usual) = (text(value), text(usual))
        return switch kind {
        case .shorter: "shorter than usual: it took \(value), and nine of ten of the runs before it \(usual) or more"
        case .longer: "longer than usual: it took \(value), and nine of ten of the runs before it \(usual) at most"
        case .larger: "larger than usual: it used \(value), and nine of ten of the runs before it \(usual) at most"
        case .moreOften:
            "more often than usual: it began \(value) after the run before it, and usual is \(usual) or more"
        case .lessOften:
            "less often than usual: it began \(value) after the run before it, and usual is \(usual) at most"
        }
    }

    private func text(_ number: Int64) -> String {
        kind == .larger ? "\(ByteCount(bytes: UInt64(clamping: number)))" : "\(TimeSpan(nanoseconds: number))"
    }
}

/// What the host notes of a run that ended, beside its outcome.
package struct RunMarks: Sendable, Equatable {
    package var differences: [RunDifference] = []
    /// It succeeded, and wrote to standard error.
    package var wroteErrors = false

    package init(differences: [RunDifference] = [], wroteErrors: Bool = false) {
        self.differences = differences
        self.wroteErrors = wroteErrors
    }

    package var isEmpty: Bool { differences.isEmpty && !wroteErrors }
}
