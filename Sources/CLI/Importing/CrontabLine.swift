import Manifests
import TaskModel

/// One line of a crontab (crontab(5)).
enum CrontabLine: Equatable {
    case nothing
    /// What stands behind its `#`.
    case comment(String)
    /// For the lines below it.
    case variable(name: String, value: String)
    case job(CrontabJob)
    /// A line that cannot become a task, with the reason and what to do.
    case refused(String)

    static let notText = CrontabLine.refused("it is not UTF-8; convert the file, as with iconv -f latin1 -t utf8")

    /// - Parameter hasUser: there is a column with a user behind the five fields, as in /etc/crontab.
    init(_ text: some StringProtocol, hasUser: Bool) {
        let line = text.drop { $0 == " " || $0 == "\t" }
        guard let first = line.first else {
            self = .nothing
            return
        }
        guard first != "#" else {
            self = .comment(String(line.drop { $0 == "#" }).trimmed)
            return
        }
        if let (name, value) = Self.variable(line) {
            self = .variable(name: name, value: value)
            return
        }
        // A hyphen keeps cron's own log quiet.
        var rest = Substring(first == "-" ? line.dropFirst() : line[...])
        var calendar: String?
        if rest.first == "@" {
            let word = Self.take(&rest)
            calendar = Self.shorthands[word.lowercased()]
            guard calendar != nil || word.lowercased() == "@reboot" else {
                self = .refused("\(word) is unknown; write five fields")
                return
            }
        } else {
            // Names of months and days may be written in any case.
            calendar = (0..<5).map { _ in Self.take(&rest).uppercased() }.joined(separator: " ")
        }
        do throws(SyntaxFault) {
            if let calendar { _ = try CalendarSyntax.parse(calendar) }
        } catch {
            self = .refused("\(error)")
            return
        }
        let user = hasUser ? Self.take(&rest) : nil
        let (command, input) = Self.split(rest)
        guard !command.isEmpty else {
            self = .refused("there is no command; write one behind the five fields")
            return
        }
        self = .job(CrontabJob(calendar: calendar, user: user, command: command, input: input))
    }

    private static let shorthands = [
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
        "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
    ]

    private static func variable(_ line: some StringProtocol) -> (String, String)? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        let name = unquoted(line[..<equals])
        guard EnvironmentFile.isName(name) else { return nil }
        return (name, unquoted(line[line.index(after: equals)...]))
    }

    private static func unquoted(_ text: some StringProtocol) -> String {
        let word = String(text).trimmed
        guard word.count > 1, let quote = word.first, quote == "\"" || quote == "'", word.last == quote else {
            return word
        }
        return String(word.dropFirst().dropLast())
    }

    /// The next word, and what follows it.
    private static func take(_ rest: inout Substring) -> String {
        let word = rest.prefix { $0 != " " && $0 != "\t" }
        rest = rest.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }
        return String(word)
    }

    /// The command, and its standard input: what follows the first `%` that no backslash escapes, with a new line for each other.
    private static func split(_ text: Substring) -> (command: String, input: String?) {
        var parts = [""]
        var isEscaped = false
        for character in text {
            switch character {
            case "%" where isEscaped: parts[parts.count - 1].removeLast()
            case "%":
                parts.append("")
                continue
            default: break
            }
            isEscaped = character == "\\"
            parts[parts.count - 1].append(character)
        }
        return (parts[0].trimmed, parts.count > 1 ? parts.dropFirst().joined(separator: "\n") : nil)
    }
}

/// A line of a crontab that runs a command.
struct CrontabJob: Equatable {
    /// Five fields; nil: once a boot.
    var calendar: String?
    /// nil: the crontab's own.
    var user: String?
    /// For the shell.
    var command: String
    var input: String?

    /// It ends while something that it started goes on.
    var leavesBehind: Bool { command.hasSuffix("&") && !command.hasSuffix("&&") }
}

extension String {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmed: String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
