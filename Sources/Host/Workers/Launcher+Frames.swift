import Engine
import Linux
import Setting
import TaskModel
import Wire
import Workers

// What a worker is launched with.
extension Launcher {
    /// - Parameter fault: one that the process has, by the user's wish.
    func frames(
        of application: ApplicationIndex, group: ControlGroup, explains: Bool, _ fault: SimulatedFault?
    ) throws(LaunchFault) -> LaunchFrames {
        let placements = (group.cloneDescriptor == nil ? 0 : 1) | UInt32(group.placementDescriptors.count) << 8
        let hold = network.hold(of: application)
        // Name servers change with the networks that a machine is in.
        try? hold?.update()
        let hosts = hold?.hosts ?? []
        if fault == nil, let known = made[application], known.placements == placements, known.hosts == hosts,
            known.explains == explains
        {
            return known
        }
        let installed = self.installed.applications[application]
        let definition = installed.definition
        let isConfined = definition.confinement == .full
        let degraded = try degraded(for: definition)
        let folders: StateFolder.ApplicationFolders
        do throws(HostError) {
            folders = try place.state.folders(of: installed, users: place.configuration.users)
        } catch {
            if case .stateUnusable(_, let cause) = error, let shortage = Shortage(code: cause.code) {
                throw LaunchFault(shortage, error.sentence)
            }
            // The user has to change a folder's mode or owner; waiting does not help.
            throw LaunchFault(error.sentence)
        }
        let variables = [
            ("$MANIFEST", definition.manifestFolder), ("$STATE", folders.state), ("$CACHE", folders.cache),
        ]
        try boundary.check(grantsOf: definition, variables)
        let meters = groups.enforces(.memory) == .meter
        let memory = definition.tasks.map(\.budget.memory).max() ?? Budget.defaultMemory
        let dataSize = meters && memory < .unlimited ? memory.bytes : 0
        let isApplication = installed.library?.isApplication ?? false
        let files = environmentFiles(of: definition, variables)
        let plan = LaunchPlan(
            application: definition.identifier, library: installed.library?.path ?? "",
            sendsLibrary: installed.library != nil, isApplication: isApplication,
            exec: definition.isolation == .exec, identity: folders.identity,
            isConfined: isConfined, home: isConfined ? "" : installed.account?.home ?? "/",
            stateDirectory: folders.state, cacheDirectory: folders.cache, manifestDirectory: definition.manifestFolder,
            read: definition.permissions.read.map { GrantVariables.expand($0, variables) } + installed.libraryFolders
                + files.map(\.path),
            write: definition.permissions.write.map { GrantVariables.expand($0, variables) },
            execute: programs(of: definition, variables), mayBeMissing: files.filter(\.isOptional).map(\.path),
            sockets: definition.permissions.sockets.map { GrantVariables.expand($0, variables) },
            ping: definition.permissions.ping,
            capabilities: definition.permissions.capabilities.reduce(0) { $0 | 1 << UInt64($1.number) },
            sharedMemory: isConfined && definition.runsPrograms && ThisProcess.isRoot
                ? memory < .unlimited ? memory.bytes : .max : 0,
            isRecorded: recorded != nil, explained: explains ? explained(installed) : .nothing,
            changesAttributes: definition.permissions.attributes,
            ports: hold?.ports ?? [],
            namesHosts: hold?.namesHosts ?? false,
            holdsAddresses: hold?.connectGuard != nil, hosts: hosts,
            fileSize: fault == .diskFull ? 0 : isConfined ? place.configuration.fileSize.bytes : .max,
            dataSize: dataSize,
            processes: folders.identity.kind == .own ? UInt64(place.configuration.processes) : 0,
            placements: placements,
            bestEffort: definition.enforcement == .bestEffort, strict: definition.misuse == .trap,
            limitsProcesses: groups.enforces(.processes) == .kernel,
            isChecked: place.configuration.checksHandlers, diskIsFull: fault == .diskFull,
            pause: fault == .slowLaunch ? 2 * UInt64(decider.limits.profile.launch.nanoseconds) : 0,
            librarySHA256: definition.librarySHA256 ?? [],
            information: isApplication ? ApplicationInformation(definition) : ApplicationInformation())
        var launch = FrameWriter(.launch)
        plan.write(to: &launch)
        guard let frame = launch.finished() else {
            throw LaunchFault("its permissions are too long to send to a worker; grant folders instead of single files")
        }
        var fresh = LaunchFrames(
            launch: frame, tasks: [], placements: placements, degraded: degraded, hosts: hosts,
            folders: [folders.state, folders.cache], explains: explains,
            isFromLauncher: plan.hasBroker || plan.hasExplainer,
            user: folders.identity.user)
        for task in installed.tasks {
            var writer = FrameWriter(.task)
            var handler = task.handler
            if case .command(let command) = handler { handler = .command(expanded(command, variables)) }
            TaskPlan(
                identifier: task.identifier, kind: task.kind, handler: handler, settings: task.settings,
                secrets: task.secrets.map(\.name)
            ).write(
                to: &writer)
            guard let frame = writer.finished() else {
                throw LaunchFault(
                    "the settings of \(task.identifier) are too long to send to a worker; put them in a file")
            }
            fresh.tasks.append(frame)
        }
        fresh.tasks.append(FrameWriter(.task).finished() ?? [])
        if fault == nil { made[application] = fresh }
        return fresh
    }

    private func explained(_ installed: InstalledApplication) -> Explained {
        guard !installed.definition.runsPrograms else { return .programs }
        return switch installed.library?.needs {
        case .foundation, .swift: .swiftLibrary
        case .system, nil: .library
        }
    }

    private func expanded(_ command: ProgramCommand, _ variables: [(String, String)]) -> ProgramCommand {
        var command = command
        command.words = command.words.map { GrantVariables.expand($0, variables) }
        command.workingDirectory = command.workingDirectory.map { GrantVariables.expand($0, variables) }
        command.environmentFiles = command.environmentFiles.map { file in
            let (path, isOptional) = ProgramCommand.place(of: file)
            return (isOptional ? "-" : "") + GrantVariables.expand(path, variables)
        }
        return command
    }

    /// What its workers may read beside its grants: the environment files of its programs.
    private func environmentFiles(
        of definition: ApplicationDefinition, _ variables: [(String, String)]
    ) -> [(path: String, isOptional: Bool)] {
        definition.tasks.flatMap { task -> [(path: String, isOptional: Bool)] in
            guard case .command(let command) = task.handler else { return [] }
            return expanded(command, variables).environmentFiles.map(ProgramCommand.place)
        }
    }

    /// What its workers may execute: nothing, for an application without programs.
    private func programs(of definition: ApplicationDefinition, _ variables: [(String, String)]) -> [String] {
        guard definition.runsPrograms else { return [] }
        return Set(definition.programs + definition.permissions.execute).sorted().map {
            GrantVariables.expand($0, variables)
        }
    }

    /// The limits that cannot be enforced here.
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
