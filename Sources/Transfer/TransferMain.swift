import Confining
import Linux
import TaskModel
import Wire

/// The entry of the `taskhost-transfer` executable. It is started by the host only.
package enum TransferMain {
    /// The descriptor of the host's line.
    private static let line: Int32 = 3

    /// - Parameter arguments: the user that it becomes when it is root.
    package static func run(_ arguments: [String]) -> Never {
        guard arguments.count == 2, let user = UInt32(arguments[1]), FileSystem.facts(lent: line) != nil else {
            StandardStream.tell(
                Array("taskhost-transfer: started by taskhost, not directly; see taskhost --help\n".utf8))
            ThisProcess.exit(64)
        }
        // The host decides when it ends: a signal that stops a service, or Ctrl-C, is for the host, which may still have
        // orders.
        for signal in [Signal.SIGTERM, .SIGINT, .SIGHUP] { Signal.ignore(signal) }
        do throws(ConfinementError) {
            try TransferConfinement.apply(user: user, line: line)
        } catch {
            refuse(error.sentence(of: "the transfer process"))
        }
        do throws(SystemError) {
            let service = try TransferService(line: line)
            try service.run()
        } catch {
            refuse("the transfer process cannot work: \(error)")
        }
    }

    private static func refuse(_ sentence: String) -> Never {
        var frame = FrameWriter(.transferRefused)
        frame.text(sentence, most: ServiceLimits.sentence)
        _ = MessageSocket(lent: line).send(frame.finished() ?? [])
        ThisProcess.exit(70)
    }
}
