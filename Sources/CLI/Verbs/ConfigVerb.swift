import JSON
import Linux
import Setting
import TaskModel

/// `taskhost config`
enum ConfigVerb: Verb {
    static let name = "config"
    static let summary = "the configuration that applies, and where each value comes from"
    static let help = """
        usage: taskhost config

        Shows what taskhost serve would use, started from here with the same options: its folders and files, and each
        value of the configuration as it applies, with its source: the default, the limits profile, the file with line
        and column, a variable of the environment, or an option.

        exit status: 0 · 64 usage · 65 the configuration is bad.
        """
    static let options: [Option] = [
        .valued("--profile", "NAME", "limits profile: modern, ios7, ios6"), .manifests, .state, .config,
        .valued("--log-format", "FORM", "how it logs: journal, logfmt, json, text"), .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name)
        var configuration = try Configuration.read(arguments, terminal)
        if let format = try ServeVerb.logFormat(arguments) { configuration.logFormat = format }
        let path = try Places.configuration(arguments)
        let document: JSONValue?
        do throws(ConfigurationFault) {
            document = try path.map { (path) throws(ConfigurationFault) in try ConfigurationFile.document(path) }
        } catch {
            throw .badManifest(error.sentence)
        }
        let options = ["profile": "--profile", "logFormat": "--log-format"].filter { arguments.has($0.value) }
        let values = ConfigurationReport.entries(
            configuration, file: path.flatMap { path in document.map { (path, $0) } }, options: options,
            state: try Places.state(arguments))
        let places = try places(arguments)
        let output: JSONOutput = [
            "places": .array(places.map(\.json)), "values": .array(values.map(\.json)),
        ]
        var table = TextTable(["KEY", "VALUE", "SOURCE"], whole: ["KEY"])
        for entry in places + values {
            let place = entry.place.map { entry.source == .file ? $0 : "\(entry.source.name) \($0)" }
            table.add([entry.key, entry.text, place ?? entry.source.name])
        }
        terminal.print(
            output,
            or: table.text(width: terminal.outWidth) { row, _, cell in
                (places + values)[row].source == .default ? terminal.coloured(cell, .dim) : cell
            }, for: arguments)
        return ExitStatus.success
    }

    /// Folders and files, each with what decided on it.
    private static func places(_ arguments: Arguments) throws(Failure) -> [ConfigurationReport.Entry] {
        func entry(_ key: String, _ values: [String], _ option: String, _ variable: String?)
            -> ConfigurationReport.Entry
        {
            let home = variable.flatMap { name in ThisProcess.variable(name).map { (name, $0) } }
            var entry = ConfigurationReport.Entry(
                key, .array(values.map(JSONOutput.string)), values.isEmpty ? "none" : values.joined(separator: ", "))
            if arguments.has(option) {
                (entry.source, entry.place) = (.option, option)
            } else if let (name, folder) = home, values.contains(where: { $0.hasPrefix(folder + "/") }) {
                (entry.source, entry.place) = (.environment, name)
            }
            return entry
        }
        return [
            entry("state", [try Places.state(arguments)], "--state", "XDG_STATE_HOME"),
            entry("manifests", Places.manifestsIfAny(arguments) ?? [], "--manifests", "XDG_CONFIG_HOME"),
            entry(
                "configuration", [try Places.configuration(arguments)].compactMap(\.self), "--config", "XDG_CONFIG_HOME"
            ),
        ]
    }
}
