import JSON
import Manifests

/// One word of the command line: `taskhost VERB …`.
protocol Verb: Sendable {
    static var name: String { get }
    /// One line for the list of verbs.
    static var summary: String { get }
    /// Everything after the first line of `--help`.
    static var help: String { get }
    /// Its options, for the parser.
    static var options: [Option] { get }

    /// Does it and returns the exit status.
    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32
}

/// Exit statuses other than those of outcomes, numbered as in sysexits.h.
enum ExitStatus {
    static let success: Int32 = 0
    /// Something was found that has to be corrected.
    static let fault: Int32 = 1
    static let usage: Int32 = 64
    static let badManifest: Int32 = 65
    static let unreachable: Int32 = 69
    static let ourBug: Int32 = 70
    /// The results could not be printed.
    static let inputOutput: Int32 = 74
    /// Something could not be written or made, such as the state folder.
    static let cannotCreate: Int32 = 73
}

/// Ends the program: one sentence on standard error, `taskhost: what; where; what to do`, and with `--json` a document.
struct Failure: Error {
    var status: Int32
    var sentence: String
    /// The problem document that the host answered with; nil: the program itself found the fault.
    var problem: JSONValue?
    /// Every fault of the files that it read.
    var errors: [Diagnostic]

    init(_ status: Int32, _ sentence: String, _ errors: [Diagnostic] = []) {
        self.status = status
        self.sentence = sentence
        self.errors = errors
    }

    static func usage(_ sentence: String, _ errors: [Diagnostic] = []) -> Failure {
        Failure(ExitStatus.usage, sentence, errors)
    }
    static func badManifest(_ sentence: String, _ errors: [Diagnostic] = []) -> Failure {
        Failure(ExitStatus.badManifest, sentence, errors)
    }
    static func unreachable(_ sentence: String) -> Failure { Failure(ExitStatus.unreachable, sentence) }
    static func ourBug(_ sentence: String) -> Failure { Failure(ExitStatus.ourBug, sentence) }
    static func cannotCreate(_ sentence: String) -> Failure { Failure(ExitStatus.cannotCreate, sentence) }

    /// A word that the verb does not take; the known word that was probably meant, or else the advice.
    static func unknownWord(_ word: String, of verb: String, known: [String], _ advice: String) -> Failure {
        let near = Nearest.match(for: word, among: known).map { "did you mean taskhost \(verb) \($0)?" }
        return usage("unknown word \(word); taskhost \(verb); \(near ?? advice)")
    }
}
