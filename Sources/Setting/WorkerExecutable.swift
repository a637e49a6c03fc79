import Linux

/// The program `taskhost-worker`.
package enum WorkerExecutable {
    /// Its path: beside this executable, or where `make install` puts it.
    package static func path() throws(HostError) -> String {
        let folder = ThisProcess.executable.prefix { _ in true }.split(separator: "/").dropLast().joined(separator: "/")
        let candidates = ["/\(folder)/taskhost-worker", "/\(folder)/../libexec/taskhost/taskhost-worker"]
        for candidate in candidates where FileSystem.allows(.execute, to: candidate) { return candidate }
        throw .workerExecutableMissing(path: candidates[0])
    }
}
