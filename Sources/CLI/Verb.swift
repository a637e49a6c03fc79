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
    static let usage: Int32 = 64
    static let badManifest: Int32 = 65
    static let unreachable: Int32 = 69
    static let ourBug: Int32 = 70
    /// The results could not be printed.
    static let inputOutput: Int32 = 74
    /// Something could not be written or made, such as the state folder.
    static let cannotCreate: Int32 = 73
}

/// Ends the program: one sentence on standard error, `taskhost: what; where; what to do`.
struct Failure: Error {
    var status: Int32
    var sentence: String

    init(_ status: Int32, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    static func usage(_ sentence: String) -> Failure { Failure(ExitStatus.usage, sentence) }

    /// A word that the verb does not take; the known word that was probably meant, or else the advice.
    static func unknownWord(_ word: String, of verb: String, known: [String], _ advice: String) -> Failure {
        let near = Nearest.match(for: word, among: known).map { "did you mean taskhost \(verb) \($0)?" }
        return usage("unknown word \(word); taskhost \(verb); \(near ?? advice)")
    }
}
