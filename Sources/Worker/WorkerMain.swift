import Linux

/// The entry of the `taskhost-worker` executable. It is started by the host only.
package enum WorkerMain {
    /// - Parameter arguments: `zygote`, `launcher` for unconfined programs, `worker` for a fresh process with its plan on a descriptor
    ///   (`worker swift` for a library in Swift), `broker PLAN PROGRAM…` for a program with Unix sockets, `watch REPORT PROGRAM…` for a
    ///   program whose rights are learned, or `resolve NAME…`.
    package static func run(_ arguments: [String]) -> Never {
        switch arguments.dropFirst().first {
        case "zygote": Zygote<ConfinedNursery>.run()
        case "launcher": Zygote<UnconfinedNursery>.run()
        case "worker": WorkerBirth.continueAfterExec(inSwift: arguments.dropFirst(2).first == "swift")
        case "broker": Broker.run(Array(arguments.dropFirst(2)))
        case "watch": Watcher.run(Array(arguments.dropFirst(2)))
        case "resolve": NameHelper.run(Array(arguments.dropFirst(2)))
        default:
            StandardStream.tell(
                Array("taskhost-worker: started by taskhost, not directly; see taskhost --help\n".utf8))
            ThisProcess.exit(64)
        }
        ThisProcess.exit(0)
    }
}
