import CTaskHost
import Linux
import Synchronization
import TaskModel
import Wire

/// One run of a task whose handler is a program: starts it in the worker's confinement, gives it the payload, hears what it says,
/// and completes the run by its end. The host warns and kills it: it is of the worker's process group and tree.
///
/// *Thread*: the run's own, which waits for the program.
enum ProgramRun {
    /// The descriptor that the program writes its notices to.
    private static let notices: Int32 = 3
    private static let portion = 16 << 10

    static func perform(_ command: ProgramCommand, _ state: UnsafeMutablePointer<HandlerRun>) {
        // It ends by itself, or by the host: nothing completes it at the warning.
        let before = unsafe state.pointee.flags.bitwiseOr(HandlerRun.Flags.watches, ordering: .acquiringAndReleasing)
        guard before.oldValue & HandlerRun.Flags.expired == 0 else {
            _ = unsafe HostServices.complete(state, Completion(success: false))
            return
        }
        do throws(SystemError) {
            let completion = unsafe try run(command, state)
            _ = unsafe HostServices.complete(state, completion)
        } catch {
            let sentence = "\(command.words[0]) could not be started: \(cause(of: error, command))"
            unsafe WorkerProcess.wire.send(
                .declined, run: state.pointee.handle, sentence: sentence,
                isMissing: error.call == "posix_spawn" && error.code == .ENOENT
                    && closedFolder(above: command.words[0]) == nil)
            _ = unsafe HostServices.complete(state, success: false, automatic: true)
        }
    }

    private static func cause(of error: SystemError, _ command: ProgramCommand) -> String {
        let isFile = command.environmentFiles.contains { ProgramCommand.place(of: $0).path == error.object }
        if isFile { return "its environment file cannot be read: \(error)" }
        // The call that starts it does not say which of the two it lacked.
        if let folder = command.workingDirectory, !FileSystem.allows(.execute, to: folder + "/.") {
            return "its working directory \(folder) cannot be entered: \(error.code)"
        }
        if error.call == "posix_spawn", let folder = closedFolder(above: command.words[0]) {
            return
                "workers run as users of their own, and \(folder) is closed to others; move the program, or open the folder for "
                + "passing through (chmod o+x \(folder))"
        }
        return "\(error.code)"
    }

    /// The first folder on the way to a file that this process cannot enter; nil: it can enter all.
    private static func closedFolder(above path: String) -> String? {
        var folder = ""
        for name in path.split(separator: "/").dropLast() {
            folder += "/\(name)"
            guard (try? FileSystem.facts(ofPath: folder)) != nil else { return nil }
            if !FileSystem.allows(.execute, to: folder) { return folder }
        }
        return nil
    }

    private static func run(
        _ command: ProgramCommand, _ state: UnsafeMutablePointer<HandlerRun>
    ) throws(SystemError) -> Completion {
        var input = try DescriptorPair.pipe()
        var output = try DescriptorPair.pipe(nonblocking: true)
        var told = unsafe WorkerProcess.brokered?.explains == true ? try DescriptorPair.sockets() : nil
        let fromHost = input.takeNear()
        let toHost = output.takeFar()
        let variables = unsafe try environment(of: state, command)
        var streams = [fromHost.number, 1, 2]
        var secrets = unsafe state.pointee.secrets
        if command.isOfShell, secrets.count == ProgramCommand.shellStreams { (streams, secrets) = (secrets, []) }
        if let mask = command.fileModeMask { ThisProcess.setFileModeMask(mask) }
        // A name that no path was found for: the call would look for it in the working directory.
        guard command.words[0].contains("/") else {
            throw SystemError("posix_spawn", code: .ENOENT, object: command.words[0])
        }
        let toWorker = told?.takeFar()
        let child = try start(
            command, environment: variables, descriptors: streams + [toHost.number] + secrets, report: toWorker.number)
        LeftProcesses.reap(beside: child.pid)
        // Its own ends alone: an end of file comes with the end of whoever has the others.
        _ = consume fromHost
        _ = consume toHost
        _ = consume toWorker
        let denials = told?.takeNear()
        try denials?.makeNonblocking()
        return unsafe attend(
            child, input: input.takeFar(), output: output.takeNear(), denials: denials, state)
    }

    /// Starts it, or the broker that confines it.
    ///
    /// - Parameter report: where a broker tells of refusals.
    private static func start(
        _ command: ProgramCommand, environment: [String], descriptors: [Int32], report: Int32?
    ) throws(SystemError) -> ChildProcess {
        guard let plan = unsafe WorkerProcess.brokered else {
            return try ChildProcess(
                command.words[0], command.words, environment: environment, in: command.workingDirectory,
                descriptors: descriptors, from: 0)
        }
        guard FileSystem.allows(.execute, to: command.words[0]) else {
            let isThere = (try? FileSystem.facts(ofPath: command.words[0])) != nil
            throw SystemError("posix_spawn", code: isThere ? .EACCES : .ENOENT, object: command.words[0])
        }
        var pipe = try DescriptorPair.pipe()
        let toBroker = pipe.takeNear()
        let child = try ChildProcess(
            "/proc/self/exe", ["taskhost-worker", "broker", "\(descriptors.count)"] + command.words,
            environment: WorkerEnvironment.ofBroker, in: command.workingDirectory,
            descriptors: descriptors + plan.descriptors(report: report, variables: toBroker.number), from: 0)
        _ = consume toBroker
        let variables: [UInt8] = environment.reduce(into: []) { $0 += Array($1.utf8) + [0] }
        // A broker that has ended reads nothing.
        try? FileSystem.write(variables, to: pipe.takeFar(), naming: "the variables of a program")
        return child
    }

    /// Waits for the end, while the payload goes and notices come.
    private static func attend(
        _ child: borrowing ChildProcess, input: consuming Descriptor, output: borrowing Descriptor,
        denials: consuming Descriptor?, _ state: UnsafeMutablePointer<HandlerRun>
    ) -> Completion {
        var denials = denials
        var payload = unsafe (state.pointee.task.payload.copied(most: FrameHeader.maximumPayload) ?? [])[...]
        try? input.makeNonblocking()
        var pipe: Descriptor? = consume input
        var notices = ProgramNotices()
        var isHeard = true
        while true {
            if payload.isEmpty { pipe = nil }
            let ends = [child.handle.descriptor.number] + (isHeard ? [output.number] : [])
            let ready =
                Descriptor.ready(ends + [pipe.number, denials.number].compactMap(\.self), writable: pipe.number) ?? []
            if let number = pipe.number, ready.contains(number) {
                payload = write(payload, to: number)
            }
            if isHeard, ready.contains(output.number) {
                isHeard = unsafe hear(output, &notices, state)
            }
            if let number = denials.number, ready.contains(number), unsafe !passDenial(from: number, state) {
                denials = nil
            }
            guard ready.contains(child.handle.descriptor.number) else { continue }
            while isHeard, unsafe hear(output, &notices, state) {}
            while let number = denials.number, unsafe passDenial(from: number, state) {}
            return completion(of: child.wait(), notices)
        }
    }

    /// What of the payload is left; nothing when the program reads no more.
    private static func write(_ payload: ArraySlice<UInt8>, to number: Int32) -> ArraySlice<UInt8> {
        do throws(SystemError) {
            return payload.dropFirst(try Descriptor.write(payload.prefix(portion), to: number))
        } catch {
            return error.code == .EAGAIN ? payload : []
        }
    }

    /// Reads notices; false when there are none now or any more.
    private static func hear(
        _ output: borrowing Descriptor, _ notices: inout ProgramNotices, _ state: UnsafeMutablePointer<HandlerRun>
    ) -> Bool {
        guard let bytes = try? output.read(portion), !bytes.isEmpty else { return false }
        notices.take(bytes) { completed, total, text in
            unsafe HostServices.forward(ProgressReport(completed: completed, total: total, text: text), of: state)
        }
        return true
    }

    /// Tells the host of one refusal; false: there is none now.
    private static func passDenial(from number: Int32, _ state: UnsafeMutablePointer<HandlerRun>) -> Bool {
        guard let message = try? Descriptor.read(from: number, portion), let denial = Denial(message: message) else {
            return false
        }
        unsafe WorkerProcess.wire.send(denial, run: state.pointee.handle)
        return true
    }

    private static func completion(of end: ProcessEnd?, _ notices: ProgramNotices) -> Completion {
        guard let end else { return Completion(success: false) }
        let program = end.signal.map { ProgramEnd.killed(signal: $0.rawValue) } ?? .exited(end.status)
        if program == .later, notices.success == nil, let deferral = notices.deferral { return Completion(deferral) }
        if let success = notices.success { return Completion(success: success) }
        return Completion(program, success: program == .exited(0))
    }

    /// The worker's own variables, those of the manifest and its files, and those of the run: the last of a name counts.
    private static func environment(
        of state: UnsafeMutablePointer<HandlerRun>, _ command: ProgramCommand
    ) throws(SystemError) -> [String] {
        func text(_ bytes: taskhost_bytes) -> String { unsafe bytes.text(most: FrameHeader.maximumSettings) ?? "" }
        let task = unsafe state.pointee.task
        let left = unsafe HostServices.timeRemaining(state)
        var variables = ThisProcess.environment.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
        variables += command.environment
        for file in command.environmentFiles { variables += try self.variables(in: file) }
        unsafe variables += [
            "TASKHOST_TASK=\(text(task.identifier))", "TASKHOST_RUN=\(text(task.run))",
            "TASKHOST_ATTEMPT=\(task.attempt)", "TASKHOST_SETTINGS=\(text(task.settings))",
            "TASKHOST_NOTIFY_FD=\(notices)",
        ]
        for (place, name) in unsafe state.pointee.secretNames.enumerated() {
            variables.append("TASKHOST_SECRET_\(name.uppercased())_FD=\(Int(notices) + 1 + place)")
        }
        let trace = unsafe text(state.pointee.trace)
        if !trace.isEmpty { variables.append("TRACEPARENT=\(trace)") }
        if unsafe state.pointee.claimNumber != 0 {
            unsafe variables.append("TASKHOST_FLEET_KEY=\(text(state.pointee.claimKey))")
            unsafe variables.append("TASKHOST_FLEET_TOKEN=\(state.pointee.claimNumber)")
        }
        // Seconds since 1970, as date +%s has them.
        if left < .greatestFiniteMagnitude {
            let end = Clock.moment().time + TimeSpan(nanoseconds: Int64(left * 1e9))
            variables.append("TASKHOST_DEADLINE=\(end.nanoseconds / 1_000_000_000)")
        }
        if command.environment.isEmpty && command.environmentFiles.isEmpty { return variables }
        return last(of: variables)
    }

    /// The last variable of each name.
    private static func last(of variables: [String]) -> [String] {
        var seen: Set<Substring> = []
        return variables.reversed().filter { seen.insert($0.prefix { $0 != "=" }).inserted }.reversed()
    }

    /// The variables of a file, which the confinement lets the worker read.
    private static func variables(in file: String) throws(SystemError) -> [String] {
        let (path, isOptional) = ProgramCommand.place(of: file)
        do throws(SystemError) {
            let open = try Descriptor.open(path, [.O_RDONLY, .O_NONBLOCK])
            let bytes = try FileSystem.read(open, limit: EnvironmentFile.mostBytes, naming: path)
            guard let variables = EnvironmentFile.variables(in: bytes) else {
                throw SystemError("read", code: .E2BIG, object: path)
            }
            return variables
        } catch {
            if isOptional, error.code == .ENOENT { return [] }
            throw error
        }
    }
}
