import Glibc

/// The entry of the `taskhost-worker` executable. It is started by the host only.
package enum WorkerMain {
    /// - Parameter arguments: `zygote`, `worker` for a fresh process with its plan on a descriptor, or `resolve NAME…`.
    package static func run(_ arguments: [String]) -> Never {
        switch arguments.dropFirst().first {
        case "zygote": Zygote.run()
        case "worker": WorkerBirth.continueAfterExec()
        case "resolve": NameHelper.run(Array(arguments.dropFirst(2)))
        default:
            let text = "taskhost-worker: started by taskhost, not by hand; see taskhost --help\n"
            _ = text.withCString { write(2, $0, strlen($0)) }
            exit(64)
        }
        exit(0)
    }
}
