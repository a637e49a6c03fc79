import CLinux
import Engine
import Glibc
import Linux
import TaskModel
import Wire
import Workers

/// What a launch of one application sends, made once.
struct LaunchFrames {
    var launch: [UInt8]
    /// The tasks, and the empty frame that ends them.
    var tasks: [[UInt8]]
    var placements: UInt32
    /// Limits that this machine cannot enforce for it; empty unless it said `bestEffort`.
    var degraded: [String]
    /// What the names of its network grants stood for.
    var hosts: [String] = []
    /// Who its workers are.
    var user: UInt32
    /// Groups of ended workers, for the next ones.
    var spareGroups: [ControlGroup] = []
}

// From the decision to launch to the request at the zygote.
extension Host {
    /// Groups kept per application; more are removed.
    private static let mostSpareGroups = 4

    func launch(_ worker: WorkerHandle, _ application: Int, _ memory: ByteCount) {
        guard !waitsForNames(worker, application, memory) else { return }
        do throws(LaunchFault) {
            try launchOrThrow(worker, application, memory)
        } catch {
            launchFailed(worker, error.sentence)
        }
    }

    private func launchOrThrow(_ worker: WorkerHandle, _ application: Int, _ memory: ByteCount) throws(LaunchFault) {
        let installed = applications[application]
        let flavor: ZygoteFlavor = installed.library?.needsFoundation == true ? .foundation : .plain
        let group = try makeGroup(for: application)
        let channel: WorkerChannel
        let far: WorkerChannel.FarEnds
        let frames: LaunchFrames
        do throws(LaunchFault) {
            frames = try self.frames(of: application, group: group)
            (channel, far) = try makeChannel()
        } catch {
            // Nobody else knows of it yet.
            _ = group.remove()
            throw error
        }
        let record = WorkerRecord(
            handle: worker, application: application, form: installed, channel: channel, group: group, zygote: flavor,
            launched: now.instant, degraded: frames.degraded)
        while workers.count <= worker.index { workers.append(nil) }
        workers[Int(worker.index)] = record
        record.notes = networkHold(of: application)?.notes ?? []
        if let connectGuard = networkHold(of: application)?.connectGuard {
            // Whether they hold is the worker's to find out and to tell.
            try? group.hold(connectGuard)
        }
        _ = group.limitMemory(memory)
        _ = group.limitProcesses(configuration.processes)
        var descriptors = [far.wire.number, far.log.number]
        if let library = installed.library { descriptors.append(library.file.descriptor.number) }
        if let folder = group.cloneDescriptor { descriptors.append(folder) }
        descriptors += group.placementDescriptors
        do throws(SystemError) {
            try poller.add(channel.wire, key: record.key(.wire))
            try poller.add(channel.log, key: record.key(.log))
            if let descriptor = group.emptinessDescriptor {
                try poller.add(descriptor, key: record.key(.emptiness), urgent: true)
            }
            if let starvation = group.starvation {
                try poller.add(
                    starvation.descriptor, key: record.key(.starvation), urgent: starvation.isUrgent)
            }
            let zygote = try zygote(flavor)
            try zygote.tell(writable: writable.paths)
            try zygote.launch(frames.launch, ticket: worker.ticket, descriptors: descriptors)
            waitForRoom(zygote, flavor.rawValue)
        } catch {
            throw LaunchFault("its worker could not be launched: \(error)")
        }
        channel.enqueue(status(of: application, isFirst: true, backgroundEnd: .distantFuture).frame())
        for frame in frames.tasks { channel.enqueue(frame) }
        if channel.flush() == .full { talk(record) }
    }

    private func makeChannel() throws(LaunchFault) -> (WorkerChannel, WorkerChannel.FarEnds) {
        do throws(SystemError) {
            return try WorkerChannel.make()
        } catch {
            throw LaunchFault("no channel to a worker: \(error)")
        }
    }

    /// No process will come: the runs are refused, and the worker is gone at once.
    private func launchFailed(_ worker: WorkerHandle, _ sentence: String) {
        for run in engine.runs(of: worker) { extras[Int(run.index)].diagnostics.append(sentence) }
        engine.handle(.refused(worker), at: now, into: &actions)
        if let record = self.worker(worker) { record.isGone = true }
        vanish(worker)
    }

    /// There is no process, and there will be none.
    func vanish(_ worker: WorkerHandle) {
        engine.handle(
            .exited(worker, WorkerExit(signal: 0, status: 0, outOfMemory: false)), at: now, into: &actions)
        engine.handle(.emptied(worker), at: now, into: &actions)
    }

    private func makeGroup(for application: Int) throws(LaunchFault) -> ControlGroup {
        if let group = launchFrames[application]?.spareGroups.popLast() { return group }
        do throws(ControlGroupError) {
            return try groups.make(applications[application].definition.identifier)
        } catch {
            throw LaunchFault("no control group for its worker: \(error)")
        }
    }

    func keepForReuse(_ group: ControlGroup, of application: Int) {
        guard let kept = launchFrames[application]?.spareGroups.count, kept < Self.mostSpareGroups,
            isHeldAsNow(group, application),
            group.recycle()
        else {
            _ = group.remove()
            return
        }
        launchFrames[application]?.spareGroups.append(group)
    }

    /// The zygote of that flavor, started if need be.
    private func zygote(_ flavor: ZygoteFlavor) throws(SystemError) -> ZygoteProcess {
        if let zygote = zygotes[Int(flavor.rawValue)] { return zygote }
        let zygote = try ZygoteProcess(
            executable: workerExecutable, environment: ZygoteEnvironment.make(executable: workerExecutable))
        try poller.add(zygote.control, key: SourceKey(.zygote, index: flavor.rawValue).bits)
        if flavor == .foundation { try zygote.preload("libFoundation.so") }
        zygotes[Int(flavor.rawValue)] = zygote
        return zygote
    }

    private func frames(of application: Int, group: ControlGroup) throws(LaunchFault) -> LaunchFrames {
        let placements = (group.cloneDescriptor == nil ? 0 : 1) | UInt32(group.placementDescriptors.count) << 8
        let hold = networkHold(of: application)
        // Name servers change with the networks that a machine is in.
        try? hold?.update()
        let hosts = hold?.hosts ?? []
        if let known = launchFrames[application], known.placements == placements, known.hosts == hosts { return known }
        let installed = applications[application]
        let definition = installed.definition
        let degraded = try degraded(for: definition)
        let folders: StateFolder.ApplicationFolders
        do throws(HostError) {
            folders = try state.folders(of: definition.identifier, users: configuration.users)
        } catch {
            throw LaunchFault(error.sentence)
        }
        let variables = [
            ("$MANIFEST", definition.manifestFolder), ("$STATE", folders.state), ("$CACHE", folders.cache),
        ]
        let meters = groups.enforces(.memory) == .meter
        let memory = definition.tasks.map(\.budget.memory).max() ?? Budget.defaultMemory
        let plan = LaunchPlan(
            application: definition.identifier, library: installed.library?.path ?? "",
            sendsLibrary: installed.library != nil, isApplication: installed.library?.isApplication ?? false,
            exec: definition.isolation == .exec, user: folders.user, group: folders.user,
            stateDirectory: folders.state, cacheDirectory: folders.cache, manifestDirectory: definition.manifestFolder,
            read: definition.permissions.read.map { Self.expand($0, variables) } + installed.libraryFolders,
            write: definition.permissions.write.map { Self.expand($0, variables) },
            ports: hold?.ports ?? [], namesHosts: hold?.namesHosts ?? false,
            holdsAddresses: hold?.connectGuard != nil, hosts: hosts,
            fileSize: configuration.fileSize.bytes, dataSize: meters ? memory.bytes : 0,
            processes: folders.user != 0 ? UInt64(configuration.processes) : 0, placements: placements,
            bestEffort: definition.enforcement == .bestEffort, strict: definition.misuse == .trap,
            limitsProcesses: groups.enforces(.processes) == .kernel, librarySHA256: definition.librarySHA256 ?? [])
        var launch = FrameWriter(.launch)
        plan.write(to: &launch)
        guard let frame = launch.finished() else {
            throw LaunchFault("its permissions are too long to send to a worker; grant folders instead of single files")
        }
        var made = LaunchFrames(
            launch: frame, tasks: [], placements: placements, degraded: degraded, hosts: hosts,
            user: folders.user,
            spareGroups: launchFrames[application]?.spareGroups ?? [])
        for task in installed.tasks {
            var writer = FrameWriter(.task)
            TaskPlan(
                identifier: task.identifier, kind: task.kind, handler: task.handler, settings: task.settings
            ).write(to: &writer)
            guard let frame = writer.finished() else {
                throw LaunchFault(
                    "the settings of \(task.identifier) are too long to send to a worker; put them in a file")
            }
            made.tasks.append(frame)
        }
        made.tasks.append(FrameWriter(.task).finished() ?? [])
        launchFrames[application] = made
        return made
    }

    static func expand(_ path: String, _ variables: [(String, String)]) -> String {
        for (name, value) in variables where path == name || path.hasPrefix(name + "/") {
            return value + path.dropFirst(name.count)
        }
        return path
    }

    /// The limits that nobody can hold here.
    ///
    /// - Throws: when a strict manifest writes one of them down.
    private func degraded(for definition: ApplicationDefinition) throws(LaunchFault) -> [String] {
        let shortfall = LimitShortfall(definition) { groups.enforces($0) }
        if let resource = shortfall.refused {
            throw LaunchFault(groups.refusal(of: resource) ?? "\(resource) cannot be enforced here")
        }
        return shortfall.degraded
    }
}

/// Why no worker could be launched.
struct LaunchFault: Error {
    var sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}
