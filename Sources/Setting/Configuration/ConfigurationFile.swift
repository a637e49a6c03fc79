package import JSON
import Linux
package import Manifests

/// The host's configuration on disk. The same rules of ownership hold for it as for manifests.
package enum ConfigurationFile {
    /// Reads the file at `path`.
    ///
    /// - Parameter machine: decides about the defaults.
    /// - Throws: `ConfigurationFault`, with every fault of the file.
    package static func read(_ path: String, on machine: MachineSize) throws(ConfigurationFault) -> HostConfiguration {
        let (configuration, diagnostics) = ConfigurationDecoder.decode(
            bytes: try bytes(of: path), path: path, on: machine, lack: TimeZones().lack)
        guard var configuration else {
            throw ConfigurationFault(
                diagnostics: diagnostics, sentence: "the configuration is not used; \(path); correct the faults above")
        }
        configuration.file = FileSystem.realPath(path) ?? path
        return configuration
    }

    /// The file's document, with the places of its keys; of one that `read` has found good.
    package static func document(_ path: String) throws(ConfigurationFault) -> JSONValue {
        let bytes = try bytes(of: path)
        do throws(JSONError) {
            return try JSONParser.parse(bytes, maximumBytes: ConfigurationLimits.fileBytes)
        } catch {
            throw ConfigurationFault("the configuration cannot be read; \(path): \(error); correct or remove it")
        }
    }

    private static func bytes(of path: String) throws(ConfigurationFault) -> [UInt8] {
        let file = try open(path)
        do throws(SystemError) {
            return try FileSystem.read(file, limit: ConfigurationLimits.fileBytes, naming: path)
        } catch {
            let reason = error.code == .EFBIG ? "it is longer than \(ConfigurationLimits.fileBytes) bytes" : "\(error)"
            throw ConfigurationFault("the configuration cannot be read; \(path): \(reason); correct or remove it")
        }
    }

    private static func open(_ path: String) throws(ConfigurationFault) -> Descriptor {
        let place = FilePlace(path)
        do throws(TrustFault) {
            return try TrustedFile.open(place.name, in: place.folder)
        } catch {
            throw ConfigurationFault(
                error.isMissing
                    ? "there is no configuration; \(path); create it, or omit --config"
                    : "the configuration is not used; \(path): \(error.sentence)")
        }
    }
}

/// Why a configuration file is not used.
package struct ConfigurationFault: Error {
    /// The faults within the file; empty when it could not be read at all.
    package var diagnostics: [Diagnostic] = []
    /// What; where; what to do.
    package var sentence: String

    init(_ sentence: String) { self.sentence = sentence }
    init(diagnostics: [Diagnostic], sentence: String) {
        self.diagnostics = diagnostics
        self.sentence = sentence
    }
}
