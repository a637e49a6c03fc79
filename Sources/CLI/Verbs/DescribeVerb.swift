import Control
import JSON
import Linux
import Setting
import TaskModel

/// `taskhost describe ID`
enum DescribeVerb: Verb {
    static let name = "describe"
    static let summary = "what a task is, with all that its manifest leaves out"
    static let help = """
        usage: taskhost describe ID

        Shows a task as the host has it: kind, code with its digest, schedule in words and as it is written, what it
        comes after, conditions, retries, the budget that applies (* marks what the manifest sets; the rest comes from
        the kind and the limits profile), permissions, user, manifest with its present faults, the pending request with
        the gates that hold it, and its next and last run. ID is a task, or its last part where one task alone has that.
        """
    static let options: [Option] = [.utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let word = try arguments.onlyWord(of: name, "task", "write its identifier, see taskhost list")
        let client = try HostAccess.openAny(arguments, terminal, looks: true)
        let document = try client.document(.describeTask, try client.identifier(for: word))
        let digest = digest(of: document)
        terminal.print(
            JSONOutput(document).adding("digest", JSONOutput(digest)), or: text(document, digest, terminal.times),
            for: arguments)
        return ExitStatus.success
    }

    /// SHA-256 of the file with the code, as it is now; nil: it cannot be read, or has to be looked for by the loader.
    private static func digest(of document: JSONValue) -> String? {
        let handler = document["handler"]
        let own = handler?["library"]?.string ?? handler?["command"]?.array?.first?.string
        let folder = FilePlace(document["manifest"]?.string ?? "").folder
        guard let path = (own ?? document["library"]?["path"]?.string)?.replacing("$MANIFEST", with: folder),
            path.hasPrefix("/")
        else { return nil }
        return FileDigest.sha256(ofPath: path).map(FileDigest.text)
    }

    /// When its permissions were learned, and what has changed since.
    private static func learned(_ task: JSONValue, _ times: ShownTimes) -> String? {
        guard let learned = task["learned"], let at = learned.time("at") else { return nil }
        var changes = (learned["programs"]?.array ?? []).compactMap { program -> String? in
            guard let path = program["path"]?.string else { return nil }
            let now = FileDigest.sha256(ofPath: path).map(FileDigest.text)
            return now == program["sha256"]?.string ? nil : path + (now == nil ? " is gone" : " has changed")
        }
        if let then = learned["landlock"]?.integer, then != Int64(Landlock.version) {
            changes.append("the kernel has Landlock \(Landlock.version) in place of \(then)")
        }
        let identifier = task["identifier"]?.string ?? ""
        return times.text(at)
            + (changes.isEmpty
                ? "" : "; since then \(changes.joined(separator: ", ")): taskhost learn \(identifier) finds them anew")
    }

    // MARK: Text

    private static func text(_ task: JSONValue, _ digest: String?, _ times: ShownTimes) -> String {
        var facts = Facts()
        facts.add("task", task["identifier"]?.string)
        facts.add("kind", task["kind"]?.string)
        let names = ["name", "version"].compactMap { task[$0]?.string }.joined(separator: " ")
        let state = task["state"]?.string ?? ""
        facts.add("application", "\(ListCell.text(task["application"]))\(names.isEmpty ? "" : " (\(names))"), \(state)")
        facts.add("code", code(task))
        facts.add("SHA-256", digest)
        facts.add("environment", environment(task["handler"]))
        facts.add("working directory", task["handler"]?["workingDirectory"]?.string)
        facts.add("umask", task["handler"]?["umask"]?.string)
        facts.add("permissions learned", learned(task, times))
        facts.add("pinned SHA-256", task["library"]?["sha256"]?.string)
        facts.add("schedule", schedule(task["schedule"]))
        facts.add("after", task["after"]?.string)
        if let priority = task["priority"]?.string, priority != WorkPriority.normal.name {
            facts.add("priority", priority)
        }
        facts.add("on failure", task["onFailure"]?.string ?? task["webhook"]?.string.map { "POST to \($0)" })
        facts.add("on output", task["onOutput"]?.string)
        facts.add("requires", requires(task["requires"]))
        facts.add("retry", retry(task["retry"]))
        facts.add("budget", budget(task))
        facts.add("settings", task["settings"]?.string.flatMap { $0 == "{}" ? nil : $0 })
        addPermissions(&facts, task["permissions"])
        let user = [task["user"]?.string, task["group"]?.string].compactMap(\.self).joined(separator: ":")
        facts.add("user", user.isEmpty ? "the host chooses" : user)
        if task["confinement"]?.string == ConfinementLevel.unconfined.rawValue {
            facts.add("confinement", "none: it may do all that its user may")
        }
        let rules = ["isolation", "enforcement", "misuse"].map { "\($0) \(ListCell.text(task[$0]))" }
        facts.add("rules", rules.joined(separator: ", "))
        facts.add("manifest", task["manifest"]?.string)
        for fault in task["faults"]?.array ?? [] { facts.add("fault", fault.string) }
        addRequest(&facts, task, times)
        facts.add("next run", task.time("next").map { times.both($0) })
        facts.add("last run", lastRun(task["lastRun"], times))
        return facts.text
    }

    /// The names of a program's variables, whose values may be nobody's business, and its files.
    private static func environment(_ handler: JSONValue?) -> String? {
        let names = (handler?["environment"]?.array ?? []).compactMap {
            $0.string.map { String($0.prefix { $0 != "=" }) }
        }
        let files = (handler?["environmentFiles"]?.array ?? []).compactMap(\.string)
        return names.isEmpty && files.isEmpty ? nil : (names + files).joined(separator: ", ")
    }

    private static func code(_ task: JSONValue) -> String? {
        let (handler, library) = (task["handler"], task["library"]?["path"]?.string)
        let place = handler?["library"]?.string ?? library
        switch handler?["form"]?.string {
        case "command":
            return (handler?["command"]?.array ?? []).compactMap { $0.string.map(ShellWord.quoted) }.joined(
                separator: " ")
        case "symbol": return "\(ListCell.text(handler?["symbol"])) of \(place ?? "-")"
        case "function":
            return "\(ListCell.text(handler?["symbol"])): \(ListCell.text(handler?["signature"])) of \(place ?? "-")"
        case "registered": return "registered at launch by \(place ?? "-")"
        default: return "the event callback of \(place ?? "-")"
        }
    }

    private static func schedule(_ schedule: JSONValue?) -> String? {
        guard let text = schedule?["text"]?.string else { return nil }
        var parts = [text]
        if let calendar = schedule?["calendar"]?.string {
            parts.append("\"\(calendar)\" in \(schedule?["timeZone"]?.string ?? "the machine's time zone")")
        }
        if let jitter = seconds(schedule?["jitter"]), jitter > .zero { parts.append("up to \(jitter) later") }
        if schedule?["scope"]?.string == ScheduleScope.fleet.rawValue { parts.append("once in the fleet") }
        parts.append("catchUp \(ListCell.text(schedule?["catchUp"]))")
        parts.append("overlap \(ListCell.text(schedule?["overlap"]))")
        if let payload = schedule?["payload"]?.string, !payload.isEmpty {
            parts.append("payload \(JSONWriter.quoted(payload, limit: 80))")
        }
        return parts.joined(separator: "; ")
    }

    private static func requires(_ requires: JSONValue?) -> String? {
        var parts: [String] = []
        for member in requires?.object ?? [] {
            switch member.value.content {
            case .bool(true): parts.append(member.key)
            case .string(let word): parts.append("\(member.key) \(word)")
            case .integer(let bytes): parts.append("\(member.key) \(ByteCount(bytes: UInt64(bytes)))")
            case .array(let patterns) where !patterns.isEmpty:
                parts.append("\(member.key) " + patterns.compactMap(\.string).joined(separator: " "))
            default: break
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func retry(_ retry: JSONValue?) -> String? {
        guard let attempts = retry?["attempts"]?.integer else { return nil }
        return "\(attempts) tries, the second after \(seconds(retry?["backoff"]) ?? .zero)"
    }

    private static func budget(_ task: JSONValue) -> String {
        let budget = task["budget"]
        let declared = Set((task["declared"]?.array ?? []).compactMap(\.string))
        func mark(_ key: String, _ text: String?) -> String? {
            text.map { "\(key) \($0)\(declared.contains(key) ? "*" : "")" }
        }
        func size(_ key: String) -> String? {
            budget?[key]?.integer.map { "\(ByteCount(bytes: UInt64($0)))" }
        }
        func none(_ key: String) -> String? { declared.contains(key) ? "none" : nil }
        let parts = [
            mark("wallClock", seconds(budget?["wallClock"])?.description ?? "without end"),
            mark("grace", seconds(budget?["grace"])?.description),
            mark("cpuTime", seconds(budget?["cpuTime"])?.description ?? none("cpuTime")),
            mark("memory", size("memory") ?? none("memory")), mark("disk", size("disk") ?? none("disk")),
            mark("stall", seconds(task["stall"])?.description),
        ]
        return parts.compactMap(\.self).joined(separator: ", ") + "; profile \(ListCell.text(task["profile"]))"
    }

    private static func addPermissions(_ facts: inout Facts, _ permissions: JSONValue?) {
        for key in ["read", "write", "network", "execute", "sockets"] {
            let list = (permissions?[key]?.array ?? []).compactMap(\.string)
            facts.add("may \(key)", list.isEmpty ? nil : list.joined(separator: " "))
        }
        let capabilities = (permissions?["capabilities"]?.array ?? []).compactMap(\.string)
        facts.add("has capabilities", capabilities.isEmpty ? nil : capabilities.joined(separator: " "))
        if permissions?["ping"]?.bool == true { facts.add("may send", "ICMP echo requests (ping)") }
        if permissions?["attributes"]?.bool == true { facts.add("may change", "modes, owners and times of its files") }
    }

    private static func addRequest(_ facts: inout Facts, _ task: JSONValue, _ times: ShownTimes) {
        guard let request = task["pending"], request["identifier"] != nil else {
            return facts.add("pending", "nothing")
        }
        let scheduled = times.textIfAny(request["scheduledFor"]).map { ", scheduled for \($0)" } ?? ""
        facts.add(
            "pending",
            "by \(ListCell.text(request["origin"])) since \(times.cell(request["submittedAt"]))\(scheduled); waits for "
                + ListCell.text(task["waiting"]))
        for gate in task["gates"]?.array ?? [] where gate["holds"]?.bool == true {
            let opens = gate["opens"]?.string.map { "; opened by \($0)" } ?? ""
            facts.add("held by", "\(ListCell.text(gate["gate"])): \(times.words(ListCell.text(gate["found"])))\(opens)")
        }
    }

    private static func lastRun(_ run: JSONValue?, _ times: ShownTimes) -> String? {
        guard let id = run?["run"]?.string else { return "none" }
        let outcome = run?["outcome"]?.string ?? "in progress"
        return "\(outcome), \(run?.time("submittedAt").map { times.both($0) } ?? "-"), \(id)"
    }

    private static func seconds(_ value: JSONValue?) -> TimeSpan? {
        value?.double.map { TimeSpan(nanoseconds: Int64(($0 * 1e9).rounded())) }
    }
}
