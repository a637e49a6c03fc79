import Linux
package import Manifests
package import Scheduling
package import TaskModel

/// The machine's time zones and its own one, from tzdata's files. Each is read once, until they are renewed.
package final class TimeZones {
    /// A number that differs between machines, for the delays of schedules.
    package private(set) lazy var machineSeed = MachineIdentity.seed(stateFolder: stateFolder, makes: makesSeed)

    private let stateFolder: String?
    private let makesSeed: Bool
    private let folder: String
    private let localTime: String
    private let variable: String?
    private var known: [String: Result<TimeZoneRules, TimeZoneFault>] = [:]
    private var machine: TimeZoneRules?

    /// - Parameters:
    ///   - stateFolder: where the seed is kept on a machine without an id; nil: nowhere.
    ///   - makesSeed: creates it there: for the host that holds the folder.
    ///   - folder: where time zones are found by name.
    ///   - localTime: the file of the machine's zone.
    ///   - variable: the variable TZ, which goes before that file (tzset(3)).
    package init(
        stateFolder: String? = nil, makesSeed: Bool = false, folder: String = "/usr/share/zoneinfo",
        localTime: String = "/etc/localtime", variable: String? = ThisProcess.variable("TZ")
    ) {
        self.stateFolder = stateFolder
        self.makesSeed = makesSeed
        self.folder = folder
        self.localTime = localTime
        self.variable = variable
    }

    /// The zone of that name, nil for the machine's own.
    ///
    /// - Returns: nil for a name that the machine does not have.
    package func rules(named name: String?) -> TimeZoneRules? {
        guard let name else { return own() }
        return try? zone(name).get()
    }

    /// Why the machine does not have the zone of that name; nil: it has.
    package func lack(_ name: String) -> TimeZoneFault? {
        if case .failure(let fault) = zone(name) { fault } else { nil }
    }

    /// The file that sets the machine's time zone; nil: the variable TZ has the zone itself.
    package var machineFile: String? {
        guard let name = variableName else { return localTime }
        if name.hasPrefix("/") { return name }
        return TimeZoneSyntax.isName(name) ? folder + "/" + name : nil
    }

    /// Rereads the zones.
    ///
    /// - Returns: whether the machine's own zone is another, and whether any is.
    package func renew() -> (own: Bool, any: Bool) {
        let (hadOwn, had) = (machine, known)
        machine = nil
        known = [:]
        for name in had.keys { _ = zone(name) }
        let isOther = hadOwn.map { $0 != own() } ?? false
        return (isOther, isOther || known.contains { had[$0.key] != nil && had[$0.key] != $0.value })
    }

    /// The faults of time zones that an application's schedules name.
    package func unknown(in application: ApplicationDefinition, places: ManifestPlaces) -> [Diagnostic] {
        application.tasks.compactMap { task in
            guard let name = task.schedule?.timeZone, let fault = lack(name) else { return nil }
            let path = "$.tasks[\"\(task.identifier)\"].schedule.timeZone"
            return Diagnostic(
                file: application.manifestPath, position: places.position(of: path), path: path,
                found: "\"\(name)\": \(fault.description)", expected: "a time zone that this machine has",
                hint: "take a name from \(folder), which the package tzdata fills")
        }
    }

    private func zone(_ name: String) -> Result<TimeZoneRules, TimeZoneFault> {
        if let zone = known[name] { return zone }
        let zone = Result { () throws(TimeZoneFault) in try read(name) }
        known[name] = zone
        return zone
    }

    private func read(_ name: String) throws(TimeZoneFault) -> TimeZoneRules {
        guard TimeZoneSyntax.isName(name) else { throw TimeZoneFault("no name of a time zone") }
        let bytes: [UInt8]
        do throws(TrustFault) {
            let file = try TrustedFile.open(name, in: folder)
            bytes = try Self.bytes(of: file, name)
        } catch {
            throw TimeZoneFault(error.sentence)
        }
        return try TimeZoneRules(tzif: bytes)
    }

    private static func bytes(of file: borrowing Descriptor, _ name: String) throws(TrustFault) -> [UInt8] {
        do throws(SystemError) {
            return try FileSystem.read(file, limit: TimeZoneRules.maximumBytes, naming: name)
        } catch {
            throw TrustFault(error, folder: "")
        }
    }

    // MARK: The machine's own

    /// Like the C library: TZ names a zone, a file or a rule; without it the file decides, and without that it is UTC.
    private func own() -> TimeZoneRules {
        if let machine { return machine }
        let rules = chosen() ?? .utc
        machine = rules
        return rules
    }

    private func chosen() -> TimeZoneRules? {
        guard let text = variableName else { return file(localTime) }
        if text.hasPrefix("/") { return file(text) }
        return rules(named: text) ?? (try? TimeZoneRules(posix: text))
    }

    /// The value of TZ, without a leading colon.
    private var variableName: String? {
        variable.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
    }

    /// Follows links: this file is the machine's, not a manifest's.
    private func file(_ path: String) -> TimeZoneRules? {
        guard let file = try? Descriptor.open(path, [.O_RDONLY, .O_NONBLOCK]),
            (try? FileSystem.facts(of: file))?.isFile == true,
            let bytes = try? FileSystem.read(file, limit: TimeZoneRules.maximumBytes, naming: path)
        else { return nil }
        return try? TimeZoneRules(tzif: bytes)
    }
}
