import Linux
package import Manifests
package import TaskModel

/// Checks the libraries of one application by reading their files: found, trusted, loadable here, exporting the named
/// symbols. Runs none of their code.
package struct LibraryInspector {
    /// A library larger than this is refused.
    private static let longestLibrary: UInt64 = 512 << 20

    private let definition: ApplicationDefinition
    private let places: ManifestPlaces
    private let shelf: LibraryShelf
    private let verifiesDigest: Bool
    private let profile: LimitsProfile
    private let needsTasks: Bool
    private let accounts: AccountRules
    private let recordsSteps: Bool
    private let pinsSignals: Bool
    private let echoGroups: ClosedRange<UInt32>?
    package private(set) var diagnostics: [Diagnostic] = []
    /// Tasks whose program, library or symbol is missing, each with its first fault. The others can be served.
    package private(set) var leftOut: [String: String] = [:]
    /// The steps to all its libraries and programs, also to those that are missing, from before they were read; none where nobody
    /// follows them.
    private(set) var steps: [PathStep] = []

    /// - Parameters:
    ///   - places: positions in the manifest, for the messages.
    ///   - shelf: libraries that were inspected already.
    ///   - verifiesDigest: a library that the manifest pins is read whole. Otherwise only its workers do that, before they
    ///     map it.
    ///   - profile: where the budgets of an application's events come from.
    ///   - accounts: which users of the machine applications may run as.
    ///   - recordsSteps: its libraries and programs will be watched.
    ///   - pinsSignals: on this machine a confined program may signal its own process group alone.
    ///   - echoGroups: groups whose processes this machine lets send ICMP echo requests.
    ///   - needsTasks: a library that is not an application needs tasks, which name its functions.
    package init(
        _ definition: ApplicationDefinition, places: ManifestPlaces = ManifestPlaces(),
        shelf: LibraryShelf = LibraryShelf(), verifiesDigest: Bool = true, profile: LimitsProfile = .modern,
        needsTasks: Bool = true, accounts: AccountRules = AccountRules(HostConfiguration()), recordsSteps: Bool = false,
        pinsSignals: Bool = !ThisProcess.isRoot && Landlock.version < 6,
        echoGroups: ClosedRange<UInt32>? = EchoGroups.range
    ) {
        self.definition = definition
        self.places = places
        self.shelf = shelf
        self.verifiesDigest = verifiesDigest
        self.profile = profile
        self.needsTasks = needsTasks
        self.accounts = accounts
        self.recordsSteps = recordsSteps
        self.pinsSignals = pinsSignals
        self.echoGroups = echoGroups
    }

    private mutating func follow(_ path: String) {
        if recordsSteps { steps += PathStep.steps(to: path) }
    }

    /// A library's file and its facts.
    private struct Found {
        var place: LibraryLocator.Place
        var path: String
        var facts: LibraryFacts
        var file: LibraryFile
    }

    /// The application with its libraries; nil with a fault, which the diagnostics report.
    package mutating func inspect() -> InstalledApplication? {
        var library: InstalledLibrary?
        var own: Found?
        if let name = definition.library {
            own = find(name, at: "$.library")
            if let own { library = makeLibrary(own) }
        }
        var faultsOfTasks = 0
        var tasks: [TaskDefinition] = []
        var folders: [String] = []
        for task in definition.tasks {
            let before = diagnostics.count
            let resolved = resolve(task, own, library, &folders)
            let faults = diagnostics[before...].filter { $0.severity == .error }
            faultsOfTasks += faults.count
            if let first = faults.first { leftOut[task.identifier] = "\(first)" } else { tasks.append(resolved) }
        }
        if let library, library.isApplication {
            tasks += EventTasks.tasks(of: definition, profile)
        } else if let library, definition.tasks.isEmpty, needsTasks {
            refuse(
                "$.tasks", found: "no task, and \(library.path) does not export taskhost_application_v1",
                expected: "at least one task, or a library that is an application",
                hint: "name the library's functions under \"tasks\"")
        }
        refuseManifestFolders()
        var account: Account?
        do throws(AccountRules.Fault) { account = try accounts.account(of: definition) } catch {
            refuse("$.\(error.key)", found: error.found, expected: error.expected, hint: error.hint)
        }
        if definition.permissions.ping { warnOfEcho(account) }
        guard diagnostics.count(where: { $0.severity == .error }) == faultsOfTasks else { return nil }
        return InstalledApplication(
            definition: definition, library: library, tasks: tasks, libraryFolders: Array(Set(folders)).sorted(),
            account: account)
    }

    /// Whoever writes manifests has the rights of every user that they name: no application may.
    private mutating func refuseManifestFolders() {
        let own = FileSystem.realPath(definition.manifestFolder) ?? definition.manifestFolder
        for (index, path) in definition.permissions.write.enumerated() {
            let place = GrantVariables.expand(path, [("$MANIFEST", definition.manifestFolder)])
            let real = FileSystem.realPath(place) ?? GrantResolver.normalized(place)
            let isManifest = GrantResolver.lies(real, in: own) && real.hasSuffix(".json")
            guard real == own || isManifest else { continue }
            refuse(
                "$.permissions.write[\(index)]", found: "\"\(path)\", where the host reads manifests",
                expected: "a place without manifests: who writes these has all rights that they can name",
                hint: "grant a folder below it, such as \"$MANIFEST/data\"")
        }
    }

    /// Before version 6 Landlock tells no processes apart: a filter then holds the signals of a user's own processes.
    private mutating func warnOfSignals(_ command: ProgramCommand, at path: String) {
        guard pinsSignals,
            let program = UnservedProgram.all(in: command).first(where: { $0.need == .signals })
        else { return }
        warn(
            path, found: "\(program.name), which \(program.need.rawValue)",
            expected:
                "a program that signals its own process group alone: this kernel's Landlock has no rights of signals",
            hint: "it works from Linux 6.12 on, under a host that is root, and with \"confinement\": \"none\"")
    }

    /// The permission alone is not enough: the machine has to let ordinary processes send echo requests.
    private mutating func warnOfEcho(_ account: Account?) {
        guard !accounts.mayPing(as: account, echoGroups) else { return }
        let groups = echoGroups.map { "the groups \($0.lowerBound) to \($0.upperBound)" } ?? "no group"
        warn(
            "$.permissions.ping", found: "a machine that lets \(groups) send ICMP echo requests",
            expected: "one that lets the group of its runs", hint: EchoGroups.remedy)
    }

    private mutating func warn(_ path: String, found: String, expected: String, hint: String) {
        diagnostics.append(
            Diagnostic(
                severity: .warning, file: definition.manifestPath, position: places.position(of: path), path: path,
                found: found, expected: expected, hint: hint))
    }

    /// The task with its library found. Faults keep only this task from being used.
    private mutating func resolve(
        _ task: TaskDefinition, _ own: Found?, _ library: InstalledLibrary?, _ folders: inout [String]
    ) -> TaskDefinition {
        let path = "$.tasks[\"\(task.identifier)\"].handler"
        var resolved = task
        switch task.handler {
        case .symbol(let symbol): require(symbol, in: own, at: path)
        case .event: break
        case .command(let command):
            requireProgram(command.words[0], at: path + ".command[0]")
            if definition.confinement == .full { warnOfSignals(command, at: path + ".command") }
        case .registered:
            if let library, !library.isApplication {
                refuse(
                    path, found: "no handler, and \(library.path) does not export taskhost_application_v1",
                    expected: "a handler in the manifest, or a library that registers it at launch")
            }
        case .foreign(var function):
            guard let name = function.library else {
                require(function.symbol, in: own, at: path + ".symbol")
                break
            }
            guard let found = find(name, at: path + ".library") else { return task }
            require(function.symbol, in: found, at: path + ".symbol")
            if !found.place.isSystem {
                function.library = found.path
                folders.append(found.place.folder)
            }
            resolved.handler = .foreign(function)
        }
        checkFrame(of: resolved)
        return resolved
    }

    private mutating func requireProgram(_ name: String, at path: String) {
        let file = GrantVariables.expand(name, [("$MANIFEST", definition.manifestFolder)])
        // The application's own folders come with it.
        guard file.hasPrefix("/") else { return }
        do throws(ProgramFile.Fault) {
            _ = try ProgramFile.chain(of: file) { follow($0) }
        } catch {
            refuse(
                path, found: error.sentence, expected: "a program, or a script whose first line names its interpreter",
                hint: "correct the path, or make the file executable with chmod +x")
        }
    }

    private mutating func find(_ name: String, at path: String) -> Found? {
        let places = LibraryLocator.places(of: name, manifestFolder: definition.manifestFolder)
        for place in places {
            follow(place.folder + "/" + place.name)
            do throws(TrustFault) {
                let file = try TrustedFile.open(place.name, in: place.folder)
                return read(file, place, at: path)
            } catch {
                if error.isMissing { continue }
                refuse(
                    path, found: "\(place.folder)/\(place.name): \(error.sentence)",
                    expected: "a library that can be trusted")
                return nil
            }
        }
        refuse(
            path, found: "\"\(name)\", which is not there",
            expected: name.contains("/")
                ? "a library at \(places[0].folder)/\(places[0].name)"
                : "a library in the manifest's folder, beside taskhost, or where the loader looks",
            hint: "build it, or copy it to \(definition.manifestFolder)")
        return nil
    }

    private mutating func read(
        _ file: consuming Descriptor, _ place: LibraryLocator.Place, at path: String
    ) -> Found? {
        let full = FileSystem.realPath(place.folder + "/" + place.name) ?? place.folder + "/" + place.name
        do throws(SystemError) {
            let (file, facts) = try shelf.take(file)
            guard file.identity.size <= Self.longestLibrary else {
                throw SystemError("read", code: .EFBIG, object: full)
            }
            if let fault = facts.fault {
                refuse(path, found: "\(full), which \(fault)", expected: "a shared library for this machine")
                return nil
            }
            return Found(place: place, path: full, facts: facts, file: file)
        } catch {
            refuse(path, found: "\(error)", expected: "a readable library")
            return nil
        }
    }

    private mutating func makeLibrary(_ found: Found) -> InstalledLibrary? {
        guard hasPinnedDigest(found) else { return nil }
        return InstalledLibrary(
            path: found.path, file: found.file, isApplication: found.facts.isApplication,
            needs: found.facts.needs)
    }

    private mutating func hasPinnedDigest(_ found: Found) -> Bool {
        guard verifiesDigest, let pinned = definition.librarySHA256 else { return true }
        do throws(SystemError) {
            let digest = try FileDigest.sha256(of: found.file.descriptor.number)
            if digest == pinned { return true }
            refuse(
                "$.sha256", found: "another digest than that of \(found.path)", expected: FileDigest.text(digest),
                hint: "if the library is the right one, write this")
        } catch {
            refuse("$.library", found: "\(found.path): \(error)", expected: "a readable library")
        }
        return false
    }

    private mutating func require(_ symbol: String, in library: Found?, at path: String) {
        guard let library else { return }  // already reported
        let kind: ELFImage.SymbolKind?
        do throws(SystemError) {
            kind = try library.facts.kind(of: symbol, in: library.file)
        } catch {
            return refuse(path, found: "\(library.path): \(error)", expected: "a readable library")
        }
        switch kind {
        case .function, .untyped: return
        case .object:
            refuse(path, found: "\"\(symbol)\", which is data in \(library.path)", expected: "an exported function")
        case nil:
            refuse(
                path, found: "\"\(symbol)\", which \(library.path) does not export", expected: "an exported function",
                hint: "check the name with: nm -D --defined-only \(library.path)")
        }
    }

    mutating func refuse(_ path: String, found: String, expected: String, hint: String? = nil) {
        diagnostics.append(
            Diagnostic(
                file: definition.manifestPath, position: places.position(of: path), path: path, found: found,
                expected: expected,
                hint: hint))
    }
}
