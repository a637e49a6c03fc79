import CLinux
import Confining
import Glibc
import Linux
import TaskModel
import Wire

/// The entry of the `taskhost-transfer` executable. It is started by the host only.
package enum TransferMain {
    /// Where the host speaks.
    private static let line: Int32 = 3

    /// - Parameter arguments: the user that it becomes when it is root.
    package static func run(_ arguments: [String]) -> Never {
        var status = clinux_stat_t()
        guard arguments.count == 2, let user = UInt32(arguments[1]), clinux_fstat(line, &status) == 0 else {
            let text = "taskhost-transfer: started by taskhost, not by hand; see taskhost --help\n"
            _ = text.withCString { write(2, $0, strlen($0)) }
            exit(64)
        }
        // The host says when it is to end: who stops all of a service or presses Ctrl-C means the host, which may have more to say.
        for number in [SIGTERM, SIGINT, SIGHUP] { _ = signal(number, SIG_IGN) }
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
        let bytes = frame.finished() ?? []
        _ = clinux_send(line, bytes, bytes.count, nil, 0, 0)
        exit(70)
    }
}
