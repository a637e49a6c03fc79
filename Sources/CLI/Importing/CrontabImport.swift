import JSON
import Manifests
import TaskModel

/// What becomes of a crontab: a manifest for each of its users, whose programs are his commands, and what of it could not be
/// carried over.
struct CrontabImport {
    /// A line that became a task.
    struct Task {
        var line: Int
        var application: String
        var identifier: String
        /// nil: once a boot.
        var calendar: String?
        var timeZone: String?
        /// The shell and the text that it runs, with the crontab's variables.
        var command: ProgramCommand
        /// Who gets what it prints; nil: nobody.
        var recipients: String?
    }

    /// A line that did not.
    struct Refusal {
        var line: Int
        var reason: String
    }

    /// Who gets what commands print.
    private enum Readers {
        case user
        case nobody
        case named(String)
    }

    private(set) var applications: [ImportedApplication] = []
    private(set) var tasks: [Task] = []
    private(set) var refusals: [Refusal] = []
    /// What is otherwise than under cron.
    private(set) var notes: [String] = []
    /// What the commands begin with, each once.
    private(set) var firstWords: Set<String> = []
    private let application: String
    private let owner: ImportOwner
    private var variables: [(name: String, value: String)] = []
    /// The program that sends mail; nil: there is none that a task can use.
    private let mailer: String?
    /// Who gets what the lines that follow print: their user, until `MAILTO` says otherwise.
    private var readers = Readers.user
    /// The lines of the comment right above.
    private var comment: [String] = []
    private var identifiers: Set<String> = []
    /// The number that the latest task of a name got.
    private var numbers: [String: Int] = [:]
    private var shares = ImportShares()
    /// Lines that end while something that they started goes on.
    private var leaving: [Int] = []

    /// A manifest takes no more.
    private static let mostVariables = ManifestLimits.variables
    /// Bytes of a `MAILTO` that can be mailed.
    private static let longestRecipients = 1 << 10

    /// - Parameters:
    ///   - application: the identifier of the manifest's application, and what those of its tasks begin with; `.USER` is
    ///     added for others than `owner`, and a number where one manifest cannot have all tasks.
    init(_ lines: [ImportedLine], application: String, hasUserColumn: Bool, owner: ImportOwner, mailer: String?) {
        self.application = application
        self.owner = owner
        self.mailer = mailer
        for (index, line) in lines.enumerated() {
            let parsed = CrontabLine(line.text, hasUser: hasUserColumn)
            if case .comment(let text) = parsed {
                note(text, hasUserColumn: hasUserColumn)
                continue
            }
            take(line.isText || parsed == .nothing ? parsed : .notText, line: index + 1)
            comment = []
        }
        guard !tasks.isEmpty else { return }
        if let first = leaving.first {
            let others = leaving.count > 1 ? " and \(leaving.count - 1) more" : ""
            notes.append(
                "line \(first)\(others): what it leaves running behind it is ended with its run; run it in the foreground, or keep it "
                    + "as a service of systemd")
        }
        notes.append(
            "runs of one task do not overlap: a time that comes while it runs is left out; where it should start as under cron, "
                + "write \"overlap\": \"allow\" in place of \"skip\"")
        notes.append(
            "the commands have all rights of their user, as under cron (\"confinement\": \"none\"); taskhost adds history, "
                + "conditions and the budgets that you write in place of \"none\"")
    }

    /// A comment may be the title of the job below it. One of no words, or a job that is turned off, is none.
    private mutating func note(_ text: String, hasUserColumn: Bool) {
        if case .job = CrontabLine(text, hasUser: hasUserColumn) {
            comment = []
        } else if text.contains(where: \.isLetter) {
            comment.append(text)
        } else {
            comment = []
        }
    }

    private mutating func take(_ parsed: CrontabLine, line: Int) {
        switch parsed {
        case .nothing, .comment: break
        case .variable(let name, let value):
            if variables.count < Self.mostVariables {
                set(name, value)
            } else {
                refuse(line, "it is beyond \(Self.mostVariables) variables; set it in a script that the command calls")
            }
        case .job(let job): add(job, line: line)
        case .refused(let reason): refuse(line, reason)
        }
    }

    private mutating func refuse(_ line: Int, _ reason: String) {
        refusals.append(Refusal(line: line, reason: reason))
    }

    private mutating func set(_ name: String, _ value: String) {
        if name == "MAILTO" {
            readers = .nobody
            guard !value.isEmpty else { return }
            let isPlain =
                value.utf8.count <= Self.longestRecipients
                && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"'\"\\$`".utf8.contains($0) }
            if mailer != nil, isPlain {
                readers = .named(value)
            } else {
                note(
                    "MAILTO is left out: what a command prints is in the log of its run (taskhost logs)"
                        + (isPlain ? ", and this machine has no mailer" : ""))
            }
        } else {
            variables.removeAll { $0.name == name }
            variables.append((name, value))
        }
    }

    private mutating func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    /// Who gets what a job prints; nil: nobody, or nobody can.
    private mutating func recipients(of job: CrontabJob) -> String? {
        guard mailer != nil else { return nil }
        switch readers {
        case .nobody: return nil
        case .named(let names):
            note("MAILTO became \"onOutput\": what a command prints is mailed, as under cron")
            return names
        case .user:
            guard let user = job.user ?? owner.name else { return nil }
            note(
                "what a command prints is mailed to \(user), as under cron; write MAILTO=\"\" above the lines whose output nobody reads"
            )
            return user
        }
    }

    private func value(_ name: String) -> String? { variables.last { $0.name == name }?.value }

    private mutating func add(_ job: CrontabJob, line: Int) {
        let found: ImportedApplication
        do throws(ImportOwner.Fault) {
            found = try owner.application(of: job.user, named: application)
        } catch {
            return refuse(line, error.reason)
        }
        let environment = environment
        let command = ProgramCommand(
            [value("SHELL") ?? "/bin/sh", "-c", script(of: job)], environment: environment)
        guard (environment + [command.words[2]]).allSatisfy({ $0.utf8.count <= ManifestLimits.commandWordBytes }) else {
            return refuse(
                line,
                "it, or a variable, has more than \(ManifestLimits.commandWordBytes >> 10) KiB; write the command into a script"
            )
        }
        if job.leavesBehind { leaving.append(line) }
        let recipients = recipients(of: job)
        firstWords.insert(String(job.command.prefix { $0 != " " && $0 != "\t" }))
        let application = applications.take(
            found, part: shares.part(of: found, for: command, mailedTo: recipients))
        tasks.append(
            Task(
                line: line, application: application.identifier,
                identifier: identifier(of: job, in: application), calendar: job.calendar, timeZone: value("CRON_TZ"),
                command: command, recipients: recipients))
    }

    /// The words that a person knows the command by; a number keeps those apart that are alike.
    private mutating func identifier(of job: CrontabJob, in application: ImportedApplication) -> String {
        let label = JobName.label(of: job.command, comment: comment)
        // What mails output has these names.
        let isMail = label.hasPrefix("mail") && label.dropFirst(4).allSatisfy { $0 == "-" || $0.isNumber }
        let first = "\(application.identifier).\(isMail ? "job-" : "")\(label)"
        var identifier = first
        while !identifiers.insert(identifier).inserted {
            let number = (numbers[first] ?? 1) + 1
            numbers[first] = number
            identifier = "\(first)-\(number)"
        }
        return identifier
    }

    /// The crontab's own variables; what cron gives every command is what a program without confinement gets.
    private var environment: [String] {
        variables.filter { $0.name != "CRON_TZ" && !$0.name.hasPrefix("TASKHOST_") }.map { "\($0.name)=\($0.value)" }
    }

    /// The command in its folder, with its input.
    private func script(of job: CrontabJob) -> String {
        // Without a HOME of its own it begins in its user's.
        let folder = value("HOME") != nil ? ["cd \"$HOME\" || exit 1"] : []
        guard let input = job.input else { return (folder + [job.command]).joined(separator: "\n") }
        var end = "END"
        while input.contains(end) { end += "_" }
        return (folder + ["{", job.command, "} <<'\(end)'", input, end]).joined(separator: "\n")
    }

    /// An application's manifest, as `taskhost run` and `serve` read it.
    func manifest(of application: ImportedApplication) -> JSONOutput {
        let own = tasks.filter { $0.application == application.identifier }
        var readers: [String] = []
        for reader in own.compactMap(\.recipients) where !readers.contains(reader) { readers.append(reader) }
        func mail(_ reader: String) -> String? {
            readers.firstIndex(of: reader).map { "\(application.identifier).mail" + ($0 == 0 ? "" : "-\($0 + 1)") }
        }
        let tasks = own.map {
            JSONOutput.Member($0.identifier, Self.document($0, onOutput: $0.recipients.flatMap(mail)))
        }
        let mails = readers.compactMap { reader in mail(reader).map { JSONOutput.Member($0, self.mail(to: reader)) } }
        return application.manifest(named: "Imported from a crontab", tasks: tasks + mails)
    }

    /// The task that mails what the others print: on its standard input come a line, which becomes the subject, an empty one,
    /// and the text. Delivery is not left to a process behind it, which would end with the run.
    private func mail(to recipients: String) -> JSONOutput {
        let script =
            "IFS= read -r subject || exit 0\n{ printf '\(Self.mailHead)' \(ShellWord.quoted(recipients)) \"$subject\"; cat; } | "
            + "\(mailer ?? "sendmail") -t -oi -odi"
        return [
            "kind": .string("processing"), "handler": ImportedApplication.handler(["/bin/sh", "-c", script]),
            "budget": ["wallClock": .string("5m")], "retry": ["attempts": .integer(5), "backoff": .string("1m")],
            "requires": ["idle": .bool(false)],
        ]
    }

    /// RFC 5322 and RFC 2045; automatic answers stay away (RFC 3834).
    private static let mailHead =
        "To: %s\\nSubject: taskhost: %s\\nAuto-Submitted: auto-generated\\nMIME-Version: 1.0\\n"
        + "Content-Type: text/plain; charset=UTF-8\\nContent-Transfer-Encoding: 8bit\\n"

    private static func document(_ task: Task, onOutput: String?) -> JSONOutput {
        var schedule: [JSONOutput.Member] = []
        if let calendar = task.calendar {
            schedule.append(.init("calendar", .string(calendar)))
            if let zone = task.timeZone { schedule.append(.init("timeZone", .string(zone))) }
            schedule.append(.init("catchUp", "none"))
        } else {
            schedule.append(.init("boot", true))
        }
        schedule.append(.init("overlap", "skip"))
        let document: JSONOutput = [
            "kind": .string("processing"), "handler": ImportedApplication.handler(task.command),
            "budget": ImportedApplication.noLimits, "schedule": .object(schedule),
            "requires": ["anyPower": true, "idle": false],
        ]
        return onOutput.map { document.adding("onOutput", .string($0)) } ?? document
    }
}
