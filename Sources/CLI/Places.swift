import Linux
import TaskModel

/// The default places of files.
enum Places {
    /// The state folder of root's host, which serves the machine.
    static let machineState = "/var/lib/taskhost"

    /// `--state`, else `machineState` as root, else `$XDG_STATE_HOME/taskhost`.
    static func state(_ arguments: Arguments) throws(Failure) -> String {
        if let given = arguments.value("--state") {
            guard !given.isEmpty else { throw .usage("--state is empty; command line; name a folder") }
            return given
        }
        if ThisProcess.isRoot { return machineState }
        return try folder("XDG_STATE_HOME", ".local/state") + "/taskhost"
    }

    /// `--manifests`, else the first of `./manifests` when it holds manifests, `$XDG_CONFIG_HOME/taskhost/manifests`,
    /// `/etc/taskhost/manifests` when it holds manifests, and, beside an installed executable, `share/taskhost/manifests` when it
    /// does.
    /// Where none is left, an empty `/etc/taskhost/manifests` will do: a daemon waits for what is put there.
    static func manifests(_ arguments: Arguments) throws(Failure) -> [String] {
        if let found = manifestsIfAny(arguments) { return found }
        // The package's own folder is not the user's to write to.
        let usual = ["./manifests"] + common("manifests")
        throw .badManifest(
            "there are no manifests; \(usual.joined(separator: ", ")); make one in the second folder with crontab -l | taskhost "
                + "import, or with taskhost new, or name another folder with --manifests")
    }

    /// The same for verbs that are not about tasks; nil when there are none.
    static func manifestsIfAny(_ arguments: Arguments) -> [String]? {
        let given = arguments.all("--manifests")
        if !given.isEmpty { return given }
        if ManifestFolder.isOurs("manifests") { return ["manifests"] }
        let folders = commonManifests.filter { (try? FileSystem.followedFacts(of: $0))?.isFolder == true }
        let isUsers = { (folder: String) in folder != machineManifests && folder != packageManifests }
        let found =
            folders.first { isUsers($0) || ManifestFolder.isOurs($0) } ?? folders.first { $0 != packageManifests }
        return found.map { [$0] }
    }

    private static let machineManifests = "/etc/taskhost/manifests"

    private static var packageManifests: String {
        let folder = ThisProcess.executable.split(separator: "/").dropLast(2).joined(separator: "/")
        return "/\(folder)/share/taskhost/manifests"
    }

    private static var commonManifests: [String] { common("manifests") + [packageManifests] }

    /// A user's own file of this name, and the machine's.
    private static func common(_ name: String) -> [String] {
        let own = try? folder("XDG_CONFIG_HOME", ".config")
        return [own, "/etc"].compactMap(\.self).map { "\($0)/taskhost/\(name)" }
    }

    static func folder(_ variable: String, _ fallback: String) throws(Failure) -> String {
        if let value = ThisProcess.variable(variable), value.hasPrefix("/") { return value }
        guard let home = ThisProcess.variable("HOME"), home.hasPrefix("/") else {
            throw .cannotCreate("there is no folder for the state; HOME is not set; name a folder with --state")
        }
        return home + "/" + fallback
    }

    /// `--config`, else the first of `$XDG_CONFIG_HOME/taskhost/config.json` and `/etc/taskhost/config.json` that exists;
    /// nil when there is none: none is needed.
    static func configuration(_ arguments: Arguments) throws(Failure) -> String? {
        if let given = arguments.value("--config") {
            guard !given.isEmpty else { throw .usage("--config is empty; command line; name a file") }
            return given
        }
        return common("config.json").first { (try? FileSystem.facts(ofPath: $0)) != nil }
    }

    /// `--profile`; nil when it is not given.
    static func profile(_ arguments: Arguments) throws(Failure) -> LimitsProfile? {
        guard let name = arguments.value("--profile") else { return nil }
        let names = LimitsProfile.all.map(\.name)
        guard let profile = LimitsProfile.all.first(where: { $0.name == name }) else {
            throw .usage("unknown profile \(name); --profile; choose one of \(names.joined(separator: ", "))")
        }
        return profile
    }
}
