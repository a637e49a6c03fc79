import Control
import JSON
import Manifests
import PageDoor
import TaskModel

/// The manifest of one command, as a start for who edits it: what `taskhost new --template command` writes, for a program that
/// is there already.
enum CommandManifest {
    /// - Parameter find: the path of a program by its name; nil: there is none.
    static func text(_ job: ProposedJob, find: (String) -> String?) throws(Problem) -> String {
        do throws(SyntaxFault) {
            try IdentifierSyntax.check(job.identifier)
        } catch {
            throw .badRequest([
                .init(path: "$.identifier", found: error.found, expected: error.expected, hint: error.hint)
            ])
        }
        var words = job.command
        if let first = words.first, !first.contains("/"), let path = find(first) { words[0] = path }
        var task: [JSONOutput.Member] = [
            .init("kind", "processing"), .init("handler", ImportedApplication.handler(ProgramCommand(words))),
        ]
        if let text = job.schedule { task.append(.init("schedule", try schedule(text))) }
        task.append(.init("budget", ["wallClock": "10m", "grace": "2s"]))
        let document = JSONOutput.object([
            .init("identifier", .string(job.identifier)),
            .init("tasks", .object([.init(job.identifier, .object(task))])),
            .init("permissions", ["read": [], "write": [], "network": []]),
        ])
        return document.text(.pretty) + "\n"
    }

    /// The manifest's schedule for `every 1h`, for five fields of cron, or for one of its words.
    static func schedule(_ text: String) throws(Problem) -> JSONOutput {
        let words = text.split { $0 == " " || $0 == "\t" }
        if words.first == "every" {
            let span = words.dropFirst().joined()
            if TimeSpan(parsing: span) != nil { return .object([.init("every", .string(span))]) }
        } else if case .job(let job) = CrontabLine(words.joined(separator: " ") + " :", hasUser: false),
            job.command == ":"
        {
            return job.calendar.map { .object([.init("calendar", .string($0))]) } ?? .object([.init("boot", true)])
        }
        throw .badRequest([
            .init(
                path: "$.schedule", found: JSONWriter.quoted(text),
                expected: #"text such as "every 1h", five fields such as "30 4 * * 1", or "@daily""#)
        ])
    }
}
