/// What everything else needs to know of an outcome: exit status, log, colours, symbol, tries, documents.
package struct OutcomeRow: Sendable {
    /// How good the news is: the colour in a terminal and on the page, the priority in the log.
    package enum Tone: String, NamedCases, Sendable {
        case good
        /// It ended as its handler should end it, though it was not done.
        case warn
        /// Neither good nor bad.
        case calm
        case bad
    }

    /// Whether its request is tried again.
    package enum Sequel: Sendable {
        /// It is done.
        case done
        /// As if it had not been tried.
        case again
        /// As often as the manifest allows.
        case counted
        /// The same, unless a condition's loss ended it: it gave way as it should.
        case countedUnlessLost
    }

    /// What it says about the application's health.
    package enum Health: Sendable {
        /// It works: earlier crashes are forgotten.
        case sound
        /// A crash, of those after which comes the quarantine.
        case crash
        case nothing
    }

    /// What it says about a fetch or a notification.
    package enum Answer: Sendable {
        /// The application's callback called its completion handler.
        case given
        /// It did not: the next fetch comes later.
        case missing
        case nothing
    }

    /// Of `taskhost run`.
    package let exitStatus: Int32
    /// Whether a manifest's `onFailure` answers it, when it is not tried again.
    package let isFailure: Bool
    package let tone: Tone
    /// The page's symbol.
    package let symbol: String
    package let sequel: Sequel
    package let health: Health
    package let answer: Answer
    /// What has happened, for documents and the page: a clause.
    package let meaning: String

    /// EX_TEMPFAIL of sysexits.h: nothing failed.
    static let later: Int32 = 75

    private init(
        _ exitStatus: Int32, _ tone: Tone, _ symbol: String, isFailure: Bool = true, _ sequel: Sequel,
        health: Health = .nothing, answer: Answer = .nothing, _ meaning: String
    ) {
        self.exitStatus = exitStatus
        self.isFailure = isFailure
        self.tone = tone
        self.symbol = symbol
        self.sequel = sequel
        self.health = health
        self.answer = answer
        self.meaning = meaning
    }
}

extension Outcome {
    /// Its row in the table.
    package var row: OutcomeRow { OutcomeRow.all[Int(rawValue)] }
}

// The table. A new outcome is a case of `Outcome`, a row here, and whatever ends a run with it.
extension OutcomeRow {
    /// By the outcome's number; the first one belongs to none.
    fileprivate static let all: [OutcomeRow] =
        [row(.failed)] + Outcome.allCases.sorted { $0.rawValue < $1.rawValue }.map(row)

    private static func row(_ outcome: Outcome) -> OutcomeRow {
        switch outcome {
        case .succeeded:
            OutcomeRow(
                0, .good, "check", isFailure: false, .done, health: .sound, answer: .given,
                "its handler reported success")
        case .failed:
            OutcomeRow(
                1, .bad, "cross", .countedUnlessLost, answer: .given,
                "its handler reported failure, or was warned and had no expiration handler")
        case .expired:
            OutcomeRow(10, .warn, "bang", .countedUnlessLost, "it was warned, and completed in time")
        case .overran:
            OutcomeRow(
                11, .bad, "triangle", .counted, answer: .missing, "it was killed at the end of its wall-clock budget")
        case .exceededCPU:
            OutcomeRow(12, .bad, "triangle", .counted, "it was killed for using more processor time than its budget")
        case .exceededMemory:
            OutcomeRow(13, .bad, "triangle", .counted, "it was killed for using more memory than its budget")
        case .crashed:
            OutcomeRow(
                14, .bad, "cross", .counted, health: .crash,
                "a signal ended the process, or it broke the host's protocol")
        case .exited:
            OutcomeRow(15, .bad, "cross", .counted, health: .crash, "the process exited without completing the run")
        case .unreported:
            OutcomeRow(
                15, .bad, "cross", .countedUnlessLost, answer: .missing, "it released the task without completing it")
        case .interrupted:
            OutcomeRow(
                16, .calm, "dash", isFailure: false, .again, "the host stopped or died, or had to kill a sibling run")
        case .cancelled:
            OutcomeRow(16, .calm, "dash", isFailure: false, .done, "the user cancelled it")
        case .refused:
            OutcomeRow(17, .bad, "cross", .done, "it could not be started; the diagnostics say why")
        case .exceededDisk:
            OutcomeRow(
                18, .bad, "triangle", .counted, "it was killed for keeping more in its folders than its budget")
        case .deferred:
            OutcomeRow(
                later, .calm, "clock", isFailure: false, .counted,
                "its handler asked to run later: the request waits until that time")
        }
    }
}
