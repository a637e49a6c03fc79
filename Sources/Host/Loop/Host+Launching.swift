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
}

// From the decision to launch to the request at the zygote.
extension Host {
    /// A turn launches at most so many workers, and begins no other after so long.
    private static let launchesPerTurn = 8
    private static let launchTime = TimeSpan.milliseconds(4)

    /// Launches what waits for it, as far as a turn goes.
    func launchSome() {
        guard !launches.isEmpty else { return }
        let start = Clock.moment().instant
        for _ in 0..<Self.launchesPerTurn {
            guard let entry = launches.popFirst() else { return }
            guard !waitsForNames(entry), !waitsForDisk(entry) else { continue }
            Failpoint.pass(.launchBefore)
            launch(entry)
            Failpoint.pass(.launchAfter)
            guard Clock.moment().instant - start < Self.launchTime else { return }
        }
    }

    private func flavor(of application: Int) -> ZygoteFlavor {
        applications[application].library?.needsFoundation == true ? .foundation : .plain
    }

    private func launch(_ entry: LaunchQueue.Entry) {
        do throws(LaunchFault) {
            let group = try makeGroup(for: entry.application)
            do throws(LaunchFault) {
                try launch(entry, in: group)
            } catch {
                // Nobody else knows of the group yet.
                if worker(entry.worker) == nil { keepForReuse(group, of: entry.application) }
                throw error
            }
        } catch {
            launchFailed(entry.worker, error)
        }
    }

    private func launch(_ entry: LaunchQueue.Entry, in group: ControlGroup) throws(LaunchFault) {
        let (worker, application, memory) = (entry.worker, entry.application, entry.memory)
        let installed = applications[application]
        let flavor = flavor(of: application)
        let frames = try frames(of: application, group: group)
        let (channel, far) = try makeChannel()
        // The kernel gives the lowest free number: one this high says that hardly any other is free.
        guard max(channel.wire, channel.log) < DescriptorLimit.forWorkers else {
            throw LaunchFault(.descriptors, "its worker would take a descriptor that the host keeps for other work")
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
        // Where the kernel can hold it, no run goes without.
        let isBound = group.limitMemory(memory) || groups.enforces(.memory) != .kernel
        let isCounted = group.limitProcesses(configuration.processes) || groups.enforces(.processes) != .kernel
        guard isBound, isCounted else {
            throw LaunchFault(.host, "the limits of its control group could not be set")
        }
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
            throw LaunchFault(error, "its worker could not be launched")
        }
        channel.enqueue(status(of: application, isFirst: true, backgroundEnd: .distantFuture).frame())
        for frame in frames.tasks { channel.enqueue(frame) }
        if channel.flush() == .full { talk(record) }
    }

    private func makeChannel() throws(LaunchFault) -> (WorkerChannel, WorkerChannel.FarEnds) {
        do throws(SystemError) {
            return try WorkerChannel.make()
        } catch {
            throw LaunchFault(error, "no channel to a worker")
        }
    }

    /// No process will come: the worker is gone at once.
    private func launchFailed(_ worker: WorkerHandle, _ fault: LaunchFault) {
        tell(fault, of: worker)
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
        if let group = spareGroups.take(of: application) { return group }
        do throws(ControlGroupError) {
            return try groups.make(applications[application].definition.identifier)
        } catch {
            throw LaunchFault(error, "no control group for its worker")
        }
    }

    /// - Parameter isEmptied: it was seen, after the end of its worker, that nothing is left in it.
    func keepForReuse(_ group: ControlGroup, of application: Int, isEmptied: Bool = false) {
        guard isHeldAsNow(group, application), group.recycle(isEmptied: isEmptied) else {
            _ = group.remove()
            return
        }
        if let other = spareGroups.keep(group, of: application) { _ = other.remove() }
    }

    func removeSpareGroups(of application: Int? = nil) {
        for group in spareGroups.takeAll(of: application) { _ = group.remove() }
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
            if case .stateUnusable(_, let cause) = error, let shortage = Shortage(code: cause.code) {
                throw LaunchFault(shortage, error.sentence)
            }
            // Somebody has to change a folder's mode or owner; waiting does not.
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
            launch: frame, tasks: [], placements: placements, degraded: degraded, hosts: hosts, user: folders.user)
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
