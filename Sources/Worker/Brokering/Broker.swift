import Confining
import Linux
import TaskModel
import Wire

/// Starts one program confined, and makes its connections to the Unix sockets that are granted: Landlock before version 9 cannot tell
/// them apart, and a filter sees no paths. The program's `connect` waits for the broker, which reads the path, connects itself, and
/// puts the connection in the place of the program's socket: the kernel never does what the program asked for, so nothing that it
/// changes meanwhile matters. It makes the sockets for ICMP echo as well, since a filter lets a socket of UDP be made or not, and cannot
/// put another in its place. Where refusals are to be named, it decides about the other calls too (`Explainer`).
///
/// It is of the run's user and the parent of the program, in the run's tree. *Thread*: the process's only one.
final class Broker {
    /// Connections of datagrams at once.
    private static let mostRelays = 64
    /// Messages of one connection before others have their turn, and the program's end is seen.
    private static let messagesOfTurn = 256
    /// Milliseconds that a receiver has for the next message of a program that has ended.
    private static let patience: Int32 = 1000
    /// Bytes of one message.
    private static let messageBytes = 128 << 10

    private let program: WatchedProgram
    private let grants: SocketGrants
    /// nil: nobody asks.
    private let explainer: Explainer?
    /// Numbers of the calls that the broker makes itself; nil: it makes none.
    private let (socket, connect): (Int32?, Int32?)
    private let sendsEcho: Bool
    private var relays: [Relay] = []

    /// What a program sends by a connection that stands for one of datagrams.
    private struct Relay {
        var near: Int32
        var far: Int32
        /// Came, and the socket's queue was full: as its sender would, it waits.
        var held: [UInt8]?
    }

    /// - Parameter arguments: the first of the descriptors (`BrokerPlan`), then the program's path and its arguments.
    static func run(_ arguments: [String]) -> Never {
        ThisProcess.setName(ThisProcess.brokerName)
        guard arguments.count > 1, let number = Int32(arguments[0]) else { ThisProcess.exit(WorkerExitStatus.refused) }
        for signal in [Signal.SIGTERM, .SIGINT, .SIGHUP] { Signal.outlive(signal) }
        // Without Landlock nothing else keeps the program from its memory, in /proc.
        try? Sandbox.makeUndumpable()
        do throws(BrokerFault) {
            // The program has no copies of them.
            for other in [number + 1, number + 2] { Descriptor.closeOnExec(other) }
            let variables = try BrokerPlan.variables(from: number + 3)
            try run(
                try BrokerPlan.take(number), Array(arguments.dropFirst()), variables, rules: number + 1,
                report: number + 2)
        } catch {
            StandardStream.tell(Array("taskhost-worker: the program cannot be confined: \(error.sentence)\n".utf8))
            ThisProcess.exit(WorkerExitStatus.refused)
        }
    }

    private static func run(
        _ plan: LaunchPlan, _ words: [String], _ variables: [String], rules: Int32, report: Int32
    ) throws(BrokerFault) -> Never {
        let confinement = ProgramConfinement(plan, rules: Landlock.version > 0 ? rules : nil)
        if let filter = try confinement.asking(explains: plan.explained == .programs) {
            do throws(SystemError) {
                let program = try WatchedProgram(
                    words, environment: variables, filter: filter.program.instructions,
                    rules: confinement.rules)
                let broker = Broker(plan, of: program, filter.explained, report: report)
                broker.explainer?.noteStart(of: words[0])
                broker.serve()
            } catch {
                // EBUSY: in a container whose manager is told of its calls, nobody else can be (seccomp(2)).
                guard plan.sockets.isEmpty, !plan.ping, error.code == .EBUSY else {
                    throw BrokerFault(sentence: "\(error)")
                }
            }
        }
        try confinement.become(words, variables)
    }

    private init(_ plan: LaunchPlan, of program: WatchedProgram, _ explained: ExplainedFilter?, report: Int32) {
        self.program = program
        grants = SocketGrants(plan.sockets, foreign: Set(plan.foreign))
        explainer = explained.map {
            let report = Descriptor(adopting: report)
            return Explainer(of: program.calls, $0, plan) { denial in
                // The worker is behind, or gone: the program does not wait for it.
                _ = MessageSocket(lent: report.number).send(denial.message, waits: false)
            }
        }
        let numbers = SystemCallArchitecture.native
        socket = plan.sockets.isEmpty && !plan.ping ? nil : numbers.number(of: "socket")
        connect = plan.sockets.isEmpty ? nil : numbers.number(of: "connect")
        sendsEcho = plan.ping
    }

    private func serve() -> Never {
        serve(hasEnded: false)
        let end = program.wait()
        relayRest()
        stayBehind()
        if let signal = end?.signal { Signal.die(by: signal) }
        ThisProcess.exit(end?.status ?? WorkerExitStatus.refused)
    }

    /// Serves until the program has ended; once it has, until no process is left.
    private func serve(hasEnded: Bool) {
        while true {
            let waiting = relays.map { Awaited(number: $0.held == nil ? $0.near : $0.far, isWritten: $0.held != nil) }
            switch program.next(hasEnded: hasEnded, within: nil, others: waiting) {
            case nil: relay()
            case .call(let notice): answer(notice)
            case .ended, .timeout, .unwatched: return
            }
        }
    }

    /// Without a broker, the calls of processes that the program has left would fail in ways that no program expects, before the host
    /// names and ends them.
    private func stayBehind() {
        switch program.next(hasEnded: true, within: .zero, others: []) {
        case .unwatched: return
        case .call(let notice): answer(notice)
        default: break
        }
        guard let copy = try? ForkedProcess(), copy.pid == 0 else { return }
        serve(hasEnded: true)
        ThisProcess.exitAtOnce(WorkerExitStatus.asked)
    }

    private func answer(_ notice: SystemCallNotice) {
        if notice.number == socket, makeSocket(notice) { return }
        if notice.number == connect {
            reach(notice)
        } else if let explainer {
            explainer.answer(notice)
        } else {
            program.calls.refuse(notice, .EPERM)
        }
    }

    // MARK: Calls

    /// SOCK_CLOEXEC and SOCK_NONBLOCK
    private static let (closesOnExec, isNonblocking) = (UInt64(0o2_000_000), UInt64(0o4000))

    /// In place of one of datagrams. A Unix socket keeps messages apart, and leads nowhere until it is connected; one of the internet
    /// sends ICMP echo requests alone.
    ///
    /// - Returns: false: the program gets no such socket.
    private func makeSocket(_ notice: SystemCallNotice) -> Bool {
        let type = notice.arguments[1]
        let domain = UInt32(truncatingIfNeeded: notice.arguments[0])
        let isEcho = SystemCallPolicy.echoProtocols.contains(UInt32(truncatingIfNeeded: notice.arguments[2]))
        guard type & 0xf == SocketNumber.SOCK_DGRAM else { return false }
        do throws(SystemError) {
            switch domain {
            case SocketNumber.AF_UNIX where connect != nil: give(try ReachedSocket.message(), type, to: notice)
            case SocketNumber.AF_INET where sendsEcho && isEcho, SocketNumber.AF_INET6 where sendsEcho && isEcho:
                give(try ReachedSocket.echo(domain), type, to: notice)
            default: return false
            }
        } catch {
            if error.code == .EACCES { explainer?.noteRefusedEcho() }
            program.calls.refuse(notice, error.code)
        }
        return true
    }

    private func give(_ made: consuming Descriptor, _ type: UInt64, to notice: SystemCallNotice) {
        if type & Self.isNonblocking != 0 { ReachedSocket.setNonblocking(made.number, true) }
        guard
            let number = program.calls.give(
                made.number, as: nil, closesOnExec: type & Self.closesOnExec != 0, to: notice)
        else { return program.calls.refuse(notice, .EMFILE) }
        program.calls.answer(notice, Int64(number))
    }

    private func reach(_ notice: SystemCallNotice) {
        let number = Int32(truncatingIfNeeded: notice.arguments[0])
        let process = WatchedProcess(thread: notice.thread)
        let length = notice.arguments[2]
        guard let socket = process.socket(number), length >= 2, length <= UInt64(ArgumentAddress.mostBytes),
            let bytes = ForeignMemory.bytes(of: notice.thread, at: notice.arguments[1], count: Int(length))
        else { return program.calls.refuse(notice, .EACCES) }
        if socket.isICMP { return reach(notice, socket, bytes) }
        guard socket.domain == SocketNumber.AF_UNIX, case .path(let path) = ArgumentAddress(bytes) else {
            return program.calls.refuse(notice, .EACCES)
        }
        guard let target = process.target(of: Array(path.utf8), followsLast: true) else {
            return program.calls.refuse(notice, .ENOENT)
        }
        guard let file = grants.open(target.place) else {
            if target.facts != nil { explainer?.noteRefused(socket: target.place) }
            return program.calls.refuse(notice, target.facts == nil ? .ENOENT : .EACCES)
        }
        do throws(SystemError) {
            try connect(notice, number, socket, to: "/proc/self/fd/\(file.number)", process)
        } catch {
            program.calls.refuse(notice, error.code)
        }
    }

    /// Wherever it leads, nothing but echo requests goes there.
    private func reach(_ notice: SystemCallNotice, _ socket: ForeignSocket, _ address: [UInt8]) {
        do throws(SystemError) {
            try socket.connectEcho(to: address)
            program.calls.answer(notice, 0)
        } catch {
            program.calls.refuse(notice, error.code)
        }
    }

    /// Puts a connection in the place of the program's socket.
    private func connect(
        _ notice: SystemCallNotice, _ number: Int32, _ socket: ForeignSocket, to path: String, _ process: WatchedProcess
    ) throws(SystemError) {
        var relay: Relay?
        var connection: Descriptor
        do throws(SystemError) {
            connection = try ReachedSocket.connected(to: path, type: socket.type)
        } catch {
            // Its messages go on as datagrams.
            guard error.code == .EPROTOTYPE, socket.type == ReachedSocket.sequenced, relays.count < Self.mostRelays
            else {
                throw error
            }
            let far = try ReachedSocket.connected(to: path, type: ReachedSocket.datagram)
            var ends = try DescriptorPair.sockets()
            let near = ends.takeNear()
            try near.makeNonblocking()
            relay = Relay(near: near.take(), far: far.take(), held: nil)
            connection = ends.takeFar()
        }
        ReachedSocket.setNonblocking(connection.number, socket.isNonblocking)
        let isGiven =
            program.calls.give(
                connection.number, as: number, closesOnExec: process.closesOnExec(number), to: notice) != nil
        if let relay {
            if isGiven { relays.append(relay) } else { close(relay) }
        }
        if isGiven { program.calls.answer(notice, 0) } else { program.calls.refuse(notice, .EBADF) }
    }

    // MARK: Datagrams

    /// Passes what has come on, and forgets connections that have ended.
    private func relay() {
        for place in relays.indices.reversed() where !pass(&relays[place]) {
            close(relays.remove(at: place))
        }
    }

    /// The program has ended: what it sent goes on, as long as it is taken.
    private func relayRest() {
        for place in relays.indices {
            while pass(&relays[place], most: 1), relays[place].held == nil || canWrite(relays[place].far) {
                guard relays[place].held != nil || Descriptor.isReady(relays[place].near, .readable) else { break }
            }
        }
    }

    private func canWrite(_ number: Int32) -> Bool {
        Descriptor.isReady(number, .writable, within: Self.patience)
    }

    /// - Returns: false at the end of the conversation.
    private func pass(_ relay: inout Relay, most: Int = messagesOfTurn) -> Bool {
        for _ in 0..<most {
            if relay.held == nil {
                guard let message = try? Descriptor.read(from: relay.near, Self.messageBytes) else { return true }
                guard !message.isEmpty else { return false }
                relay.held = message
            }
            guard let message = relay.held else { return true }
            do throws(SystemError) {
                _ = try Descriptor.write(message[...], to: relay.far)
            } catch {
                if error.code == .EAGAIN { return true }
            }
            relay.held = nil
        }
        return true
    }

    private func close(_ relay: Relay) {
        _ = Descriptor(adopting: relay.near)
        _ = Descriptor(adopting: relay.far)
    }
}

/// Why a program cannot be confined.
struct BrokerFault: Error {
    var sentence: String
}
