import Manifests

/// One option of a verb.
struct Option {
    var name: String
    /// What its value is called in help; nil for a switch.
    var value: String?
    var isRepeatable = false
    var summary: String
    /// One letter that means the same, such as `-f`.
    var short: String?

    static func flag(_ name: String, _ summary: String, short: String? = nil) -> Option {
        Option(name: name, value: nil, summary: summary, short: short)
    }
    static func valued(_ name: String, _ value: String, _ summary: String, repeatable: Bool = false) -> Option {
        Option(name: name, value: value, isRepeatable: repeatable, summary: summary)
    }

    static let json = flag("--json", "print one JSON document")
    static let help = flag("--help", "show this help", short: "-h")
    static let utc = flag("--utc", "times as ISO 8601 in UTC, in place of local and relative ones")
    static let state = valued("--state", "DIR", "folder of the record and the applications' files")
    static let manifests = valued(
        "--manifests", "DIR", "folder of manifests, or one manifest (repeatable)", repeatable: true)
    static let config = valued("--config", "FILE", "the host's own settings")
}

/// A verb's arguments, taken apart.
struct Arguments {
    private(set) var words: [String] = []
    /// The words behind `--`, which are among `words`; nil: there is no `--`.
    private(set) var command: [String]?
    private var values: [String: [String]] = [:]

    /// Words that were meant, though nobody typed them.
    mutating func add(words more: [String]) { words += more }

    /// Takes `--name value`, `--name=value` and switches in any order; `--` ends the options.
    init(_ raw: [String], options: [Option], verb: String) throws(Failure) {
        var rest = raw[...]
        var onlyWords = false
        while let argument = rest.popFirst() {
            guard !onlyWords, argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            if argument == "--" {
                onlyWords = true
                command = Array(rest)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
                let name = parts[0]
                let known = Nearest.match(for: name, among: options.map(\.name))
                throw .usage(
                    "unknown option \(name); taskhost \(verb); "
                        + (known.map { "did you mean \($0)?" } ?? "see taskhost \(verb) --help"))
            }
            let name = option.name
            if option.value == nil {
                guard parts.count == 1 else {
                    throw .usage("\(name) takes no value; taskhost \(verb); leave the value out")
                }
                values[name, default: []].append("")
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw .usage("\(name) needs a value; taskhost \(verb); write \(name) \(option.value ?? "")")
            }
            if values[name] != nil && !option.isRepeatable {
                throw .usage("\(name) is given twice; taskhost \(verb); give it once")
            }
            values[name, default: []].append(value)
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }
    func value(_ name: String) -> String? { values[name]?.last }
    func all(_ name: String) -> [String] { values[name] ?? [] }
    var isJSON: Bool { has("--json") }

    /// A whole number in a range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "\(name) does not take this; \(text); give a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

extension Arguments {
    /// The verb's one word.
    func onlyWord(of verb: String, _ what: String, _ advice: String) throws(Failure) -> String {
        guard words.count == 1 else { throw .usage("one \(what) is needed; taskhost \(verb); \(advice)") }
        return words[0]
    }

    func takesNoWords(of verb: String, _ advice: String = "leave it out") throws(Failure) {
        guard let word = words.first else { return }
        throw .usage("\(verb) takes no words; \(word); \(advice)")
    }
}
