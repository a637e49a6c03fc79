import JSON

/// What becomes of a crontab: a manifest for each of its users, whose programs are his commands, and what of it could not be
/// carried over.
struct CrontabImport {
    /// A line that became a task.
    struct Task {
        var line: Int
        var application: String
        var identifier: String
        var calendar: String
        var timeZone: String?
        /// The shell and the text that it runs.
        var words: [String]
        /// Who hears of its failures; nil: nobody.
        var recipients: String?
    }

    /// A line that did not.
    struct Refusal {
        var line: Int
        var reason: String
    }

    private(set) var applications: [ImportedApplication] = []
    private(set) var tasks: [Task] = []
    private(set) var refusals: [Refusal] = []
    /// What is otherwise than under cron.
    private(set) var notes: [String] = []
    private let application: String
    private let owner: ImportOwner
    private var variables: [(name: String, value: String)] = []
    /// The program that sends mail; nil: there is none that a task can use.
    private let mailer: String?
    /// `MAILTO` of the lines that follow.
    private var recipients: String?

    /// - Parameters:
    ///   - application: the identifier of the manifest's application, and what those of its tasks begin with; `.USER` is
    ///     added for others than `owner`.
    init(_ text: String, application: String, hasUserColumn: Bool, owner: ImportOwner, mailer: String?) {
        self.application = application
        self.owner = owner
        self.mailer = mailer
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            switch CrontabLine(line, hasUser: hasUserColumn) {
            case .nothing: break
            case .variable(let name, let value): set(name, value)
            case .job(let job): add(job, line: index + 1)
            case .refused(let reason): refusals.append(Refusal(line: index + 1, reason: reason))
            }
        }
        guard !tasks.isEmpty else { return }
        notes.append("runs of one task do not overlap: a time that comes while it runs is left out")
        notes.append(
            "the permissions are wide, as under cron: narrow \"read\", \"write\", \"execute\" and \"network\" to what the commands "
                + "need")
    }

    private mutating func set(_ name: String, _ value: String) {
        if name == "MAILTO" {
            recipients = nil
            guard !value.isEmpty else { return }
            let isPlain = value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"'\"\\$`".utf8.contains($0) }
            let note: String
            if mailer != nil, isPlain {
                recipients = value
                note =
                    "MAILTO became \"onFailure\": the record of a failure is mailed; what a command prints is in the log of its "
                    + "run (taskhost logs)"
            } else {
                note =
                    "MAILTO is left out: what a command prints is in the log of its run (taskhost logs)"
                    + (isPlain ? ", and this machine has no mailer that works without set-user-ID" : "")
            }
            if !notes.contains(note) { notes.append(note) }
        } else {
            variables.removeAll { $0.name == name }
            variables.append((name, value))
        }
    }

    private func value(_ name: String) -> String? { variables.last { $0.name == name }?.value }

    private mutating func add(_ job: CrontabJob, line: Int) {
        guard let application = application(of: job, line: line) else { return }
        tasks.append(
            Task(
                line: line, application: application.identifier,
                identifier: "\(application.identifier).\(Self.label(of: job.command))-\(line)", calendar: job.calendar,
                timeZone: value("CRON_TZ"),
                words: [value("SHELL") ?? "/bin/sh", "-c", script(of: job, in: application)], recipients: recipients))
    }

    /// The application that a line belongs to; nil: the line is refused.
    private mutating func application(of job: CrontabJob, line: Int) -> ImportedApplication? {
        let found: ImportedApplication
        do throws(ImportOwner.Fault) {
            found = try owner.application(of: job.user, named: self.application)
        } catch {
            refusals.append(Refusal(line: line, reason: error.reason))
            return nil
        }
        let (application, isNew) = applications.take(found)
        if isNew, let remark = application.remark { notes.append(remark) }
        return application
    }

    /// The variables and the folder that cron gives a command, then the command.
    private func script(of job: CrontabJob, in application: ImportedApplication) -> String {
        let known = application.home.map { [("HOME", $0)] } ?? []
        let names =
            switch owner {
            case .one(let user?, _): [("LOGNAME", user), ("USER", user)]
            case .one, .everybody: [(String, String)]()
            }
        let own = variables.filter { $0.name != "SHELL" && $0.name != "CRON_TZ" }
        let exports = (known + names + own).map { "export \($0.0)=\(ShellWord.quoted($0.1))" }
        let folder = value("HOME") != nil || application.home != nil ? ["cd \"$HOME\" || exit 1"] : []
        guard let input = job.input else { return (exports + folder + [job.command]).joined(separator: "\n") }
        var end = "END"
        while input.contains(end) { end += "_" }
        let command = ["{", job.command, "} <<'\(end)'", input, end]
        return (exports + folder + command).joined(separator: "\n")
    }

    /// A label of an identifier that reminds of the command.
    private static func label(of command: String) -> String {
        let word = command.split(separator: " ").first { !$0.contains("=") } ?? ""
        let name = word.split(separator: "/").last ?? ""
        let letters = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }.prefix(40))
        return letters.isEmpty ? "job" : letters
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
            JSONOutput.Member($0.identifier, Self.document($0, onFailure: $0.recipients.flatMap(mail)))
        }
        let mails = readers.compactMap { reader in mail(reader).map { JSONOutput.Member($0, self.mail(to: reader)) } }
        return application.manifest(named: "Imported from a crontab", tasks: tasks + mails)
    }

    /// The task that mails a failure: the record comes on its standard input.
    private func mail(to recipients: String) -> JSONOutput {
        let script =
            "{ printf 'To: %s\\nSubject: taskhost: a command of the crontab failed\\n\\n' \(ShellWord.quoted(recipients)); cat; echo; } | "
            + "\(mailer ?? "sendmail") -t -oi"
        return [
            "kind": .string("processing"), "handler": ["command": .array(["/bin/sh", "-c", .string(script)])],
            "budget": ["wallClock": .string("5m")], "requires": ["idle": .bool(false)],
        ]
    }

    private static func document(_ task: Task, onFailure: String?) -> JSONOutput {
        let schedule: [JSONOutput.Member] =
            [.init("calendar", .string(task.calendar))]
            + (task.timeZone.map { [.init("timeZone", .string($0))] } ?? []) + [.init("catchUp", .string("none"))]
        let document: JSONOutput = [
            "kind": .string("processing"), "handler": ["command": .array(task.words.map(JSONOutput.string))],
            "budget": ["wallClock": .string("12h"), "memory": .string("1GiB")], "schedule": .object(schedule),
            "requires": ["idle": .bool(false)],
        ]
        return onFailure.map { document.adding("onFailure", .string($0)) } ?? document
    }
}
