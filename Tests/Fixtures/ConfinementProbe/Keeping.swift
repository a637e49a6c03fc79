import CLinux
import Glibc
import Linux
import TaskModel
import Wire
import Worker

/// `confinement-probe --keep SCRIPT`: keeps a shell as a zygote's fork keeps a worker that no control group holds. Descriptor 3 is
/// the lifeline; the launch is reported there as well.
enum Keeping {
    static func run(_ script: String) -> Never {
        let callID = RunHandle(index: 1, generation: 1)
        do throws(SystemError) {
            let signals = try SignalQueue([.SIGCHLD])
            let null = try Descriptor.open("/dev/null", .O_RDWR)
            try Sandbox.becomeSubreaper()
            let own = try ProcessHandle(opening: ThisProcess.pid)
            let worker = try ForkedProcess()
            if worker.pid == 0 { become(script) }
            let report = LaunchReport(pid: worker.pid, keeper: ThisProcess.pid)
            _ = MessageSocket(lent: 3).send(report.frame(callID: callID), descriptors: [own.descriptor.number])
            let lifeline = Descriptor(adopting: 3)
            Keeper.keep(worker: worker.pid, callID: callID, lifeline: lifeline, signals: signals, null: null.number)
        } catch {
            print("\(error)")
        }
        _exit(71)
    }

    private static func become(_ script: String) -> Never {
        close(3)
        _ = try? Sandbox.unblockSignals()
        _ = try? Sandbox.startSession()
        let arguments: [UnsafeMutablePointer<CChar>?] =
            ["sh", "-c", script].map { (text: String) in strdup(text) } + [nil]
        execv("/bin/sh", arguments)
        _exit(72)
    }
}
