import Foundation

/// `taskhost serve`, from its first answer until it is let go.
final class Daemon {
    private let process: Process
    private let state: String

    /// - Parameter manifests: a folder of them, or one.
    init(_ laboratory: Laboratory, state: String, manifests: String, _ more: [String] = []) throws {
        self.state = state
        process = try Command(
            path: "\(laboratory.options.binaries)/taskhost",
            arguments: ["serve", "--state", state, "--manifests", manifests] + more
        ).start()
        try waitForAnswer()
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    var processIdentifier: Int32 { process.processIdentifier }

    /// A question over its control socket.
    func curl(_ arguments: [String]) -> Command {
        Command(
            path: "/usr/bin/curl",
            arguments: ["--silent", "--fail", "--unix-socket", "\(state)/control.sock"] + arguments)
    }

    /// Conditions of the device, as an object: they stay until it ends.
    func overrideDevice(_ conditions: String) throws {
        let answer = try curl(["--request", "PATCH", "--json", conditions, "http://localhost/v1/device"]).run()
        guard answer.status == 0 else { throw BenchmarkError.failed("the device's conditions cannot be set") }
    }

    private func waitForAnswer() throws {
        for _ in 0..<200 {
            if try curl(["--max-time", "2", "http://localhost/v1/host"]).run().status == 0 { return }
            usleep(50_000)
        }
        throw BenchmarkError.failed("taskhost serve did not answer within ten seconds")
    }
}
