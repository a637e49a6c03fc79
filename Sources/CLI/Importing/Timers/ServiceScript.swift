import Manifests
import TaskModel

/// What a service of systemd runs, as the command of a task.
struct ServiceScript {
    let command: ProgramCommand
    /// One of its commands has more rights than its user under systemd.
    let isPrivileged: Bool
    /// The service's settings that no manifest has, each once.
    let leftOut: [String]
    /// The memory that it may use, as a manifest spells it.
    let memory: String

    /// - Parameter owner: whom it runs as.
    init(_ service: UnitFile, name: String, _ owner: ImportedApplication) throws(UnitCommand.Fault) {
        let type = service.value("Service", "Type") ?? "simple"
        guard ["oneshot", "simple", "exec", "idle"].contains(type) else {
            throw UnitCommand.Fault(reason: "its service is of Type=\(type): a task ends when its command does")
        }
        let specifiers = Self.specifiers(of: name, owner)
        func commands(_ key: String) throws(UnitCommand.Fault) -> [UnitCommand] {
            var all: [UnitCommand] = []
            for text in service.values("Service", key) { all += try UnitCommand.parse(text, specifiers: specifiers) }
            return all
        }
        let conditions = try commands("ExecCondition")
        let before = try commands("ExecStartPre")
        let main = try commands("ExecStart")
        let after = try commands("ExecStartPost")
        guard let last = main.last else { throw UnitCommand.Fault(reason: "its service has no ExecStart") }
        isPrivileged = (conditions + before + main + after).contains(where: \.isPrivileged)
        let tests = try UnitConditions(service) { value throws(UnitCommand.Fault) in
            try UnitCommand.expand(value, specifiers)
        }
        var seen: Set<String> = []
        let size = Self.memory(of: service)
        memory = size ?? "none"
        leftOut = (Self.leftOut(of: service) + tests.leftOut + (size == nil ? ["MemoryMax (no size)"] : []))
            .filter { seen.insert($0).inserted }
        let setup = tests.lines + (try Self.folder(of: service, owner, specifiers))
        let environment = try Self.environment(of: service, specifiers)
        let files = try service.values("Service", "EnvironmentFile").map { (file) throws(UnitCommand.Fault) in
            try UnitCommand.expand(file, specifiers)
        }
        func command(_ words: [String]) -> ProgramCommand {
            // systemd's default.
            ProgramCommand(words, environment: environment, environmentFiles: files, workingDirectory: "/")
        }
        let isAlone = setup.isEmpty && conditions.isEmpty && before.isEmpty && main.count == 1 && after.isEmpty
        if isAlone, !last.ignoresFailure, let words = last.words, words[0].hasPrefix("/") {
            self.command = command(words)
            return
        }
        func line(_ command: UnitCommand) -> String {
            command.shell + (command.ignoresFailure ? " || :" : " || exit")
        }
        var lines = ["set -f"] + setup
        lines += conditions.map { $0.shell + " || exit 0" }
        lines += (before + main.dropLast()).map(line)
        if after.isEmpty, !last.ignoresFailure {
            lines.append("exec " + last.shell)
        } else {
            lines += ([last] + after).map(line)
            lines.append("exit 0")
        }
        self.command = command(["/bin/sh", "-c", lines.joined(separator: "\n")])
    }

    /// What `%x` stands for in units of this name (systemd.unit(5), "Specifiers").
    private static func specifiers(of name: String, _ owner: ImportedApplication) -> [Character: String] {
        let stem = String(name.dropLast(".service".count))
        let parts = stem.split(separator: "@", maxSplits: 1).map(String.init)
        var known: [Character: String] = ["n": name, "N": stem, "p": parts.first ?? stem]
        known["i"] = parts.count == 2 ? parts[1] : ""
        known["I"] = parts.count == 2 ? parts[1].replacing("-", with: "/") : ""
        known["t"] = "/run"
        known["S"] = "/var/lib"
        known["C"] = "/var/cache"
        known["L"] = "/var/log"
        known["E"] = "/etc"
        known["T"] = "/tmp"
        known["V"] = "/var/tmp"
        known["h"] = owner.home
        known["u"] = owner.user
        return known
    }

    /// The variables that its file sets: the last of a name counts.
    private static func environment(
        of service: UnitFile, _ specifiers: [Character: String]
    ) throws(UnitCommand.Fault) -> [String] {
        var variables: [String] = []
        for text in service.values("Service", "Environment") {
            for command in try UnitCommand.parse(text.replacing("$", with: "$$"), specifiers: specifiers) {
                for word in command.words ?? [] {
                    let name = word.prefix { $0 != "=" }
                    guard name.count < word.count, EnvironmentFile.isName(name), !name.hasPrefix("TASKHOST_") else {
                        continue
                    }
                    variables.removeAll { $0.hasPrefix(name + "=") }
                    variables.append(word)
                }
            }
        }
        return variables
    }

    /// The folder that its commands begin in.
    private static func folder(
        of service: UnitFile, _ owner: ImportedApplication, _ specifiers: [Character: String]
    ) throws(UnitCommand.Fault) -> [String] {
        guard let value = service.value("Service", "WorkingDirectory") else { return [] }
        let folder = try UnitCommand.expand(value, specifiers)
        let isOptional = folder.hasPrefix("-")
        let path = isOptional ? String(folder.dropFirst()) : folder
        let place = path == "~" ? owner.home ?? "/" : path
        return ["cd \(ShellWord.path(place)) || \(isOptional ? ":" : "exit")"]
    }

    /// Settings that a task has, or that say nothing about its run.
    private static let carried: Set<String> = [
        "Type", "ExecCondition", "ExecStart", "ExecStartPre", "ExecStartPost", "User", "DynamicUser",
        "Environment", "EnvironmentFile", "WorkingDirectory", "RuntimeMaxSec", "TimeoutStartSec", "MemoryMax",
        "RemainAfterExit", "SyslogIdentifier", "Description", "Documentation", "After", "Before", "Wants",
        "DefaultDependencies",
    ]

    private static func leftOut(of service: UnitFile) -> [String] {
        service.settings.filter { setting in
            ["Unit", "Service"].contains(setting.section) && !carried.contains(setting.name)
                && !setting.name.hasPrefix("Condition") && !setting.name.hasPrefix("Assert")
        }.map(\.name)
    }

    /// nil: the setting means nothing to a manifest.
    private static func memory(of service: UnitFile) -> String? {
        guard let text = service.value("Service", "MemoryMax"), text != "infinity" else { return "none" }
        return UnitSize.bytes(text).map { bytes in
            let bounds = ManifestLimits.memory
            let kibibytes = min(max(bytes, bounds.lowerBound.bytes), bounds.upperBound.bytes) >> 10
            return ByteCount(bytes: kibibytes << 10).manifestText
        }
    }
}
