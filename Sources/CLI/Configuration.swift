import Linux
import Manifests
import Setting

/// The host's own settings: the file of `--config` or the one in its usual place, and the overrides on the command line.
enum Configuration {
    static func read(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> HostConfiguration {
        var configuration = try file(arguments, terminal)
        if let profile = try Places.profile(arguments) { configuration.choose(profile) }
        return configuration
    }

    private static func file(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> HostConfiguration {
        let machine = MachineSize(state: try Places.state(arguments))
        guard let path = try Places.configuration(arguments) else { return HostConfiguration(on: machine) }
        do throws(ConfigurationFault) {
            return try ConfigurationFile.read(path, on: machine)
        } catch {
            terminal.note(error.diagnostics)
            throw .badManifest(error.sentence, error.diagnostics)
        }
    }
}
