import CLinux
import Glibc

/// Ctrl-C and SIGTERM as something to wait for beside a host's events. For the rest of the program.
final class Interrupts {
    /// None when there is no descriptor left: then the signals end the program as usual.
    let inputs: [Int32]

    init() {
        var signals = [SIGINT, SIGTERM]
        let number = clinux_signalfd(&signals, Int32(signals.count))
        inputs = number < 0 ? [] : [number]
    }

    deinit { for input in inputs { close(input) } }

    /// How many came since the last call.
    func count() -> Int {
        var count = 0
        for input in inputs { while clinux_signalfd_read(input) > 0 { count += 1 } }
        return count
    }
}
