import Setting
import TaskModel
import Wire
import Workers

/// Limits workers to the addresses that their manifest grants: without cost for applications without network grants. Thread:
/// the loop's.
final class NetworkHolds {
    private var holds: [ApplicationIndex: NetworkHold] = [:]
    /// nil until an application has names.
    private var resolver: NameResolver?
    /// nil until an application has network grants, or where the kernel does not hold addresses.
    private var datagrams: DatagramGuard?
    private var mayHoldAddresses: Bool?
    /// The names of the application are resolved: its launches may continue.
    var release: (ApplicationIndex) -> Void = { _ in }
    private let groups: ControlGroups
    private let workerExecutable: String
    private let loop: EventLoop
    private let decider: Decider
    private let installed: Installation
    private let table: WorkerTable

    init(
        _ groups: ControlGroups, workerExecutable: String, _ loop: EventLoop, _ decider: Decider,
        _ installed: Installation, _ table: WorkerTable
    ) {
        self.groups = groups
        self.workerExecutable = workerExecutable
        self.loop = loop
        self.decider = decider
        self.installed = installed
        self.table = table
    }

    /// The application's network access; nil for one without network grants.
    func hold(of application: ApplicationIndex) -> NetworkHold? {
        let grants = installed.applications[application].definition.permissions.network
        guard !grants.isEmpty else { return nil }
        if let known = holds[application] { return known }
        let hold = NetworkHold(grants) { rules, capacity in
            guard let datagrams = datagramGuard() else { return nil }
            return try? ConnectGuard(rules, capacity: capacity, common: datagrams)
        }
        holds[application] = hold
        return hold
    }

    /// nil where the kernel or the host's rights do not hold addresses.
    private func datagramGuard() -> DatagramGuard? {
        if mayHoldAddresses == nil {
            datagrams = groups.holdsConnections ? try? DatagramGuard() : nil
            mayHoldAddresses = datagrams != nil
        }
        return datagrams
    }

    /// The manifest changed or was removed: live workers keep their former access.
    func forget(_ application: ApplicationIndex) { holds[application] = nil }

    /// Whether a control group that is to be reused has the application's present grants.
    func isHeldAsNow(_ group: ControlGroup, _ application: ApplicationIndex) -> Bool {
        group.connectGuard === holds[application]?.connectGuard
    }

    // MARK: Names

    /// Whether launches of the application have to wait until names are resolved. Older answers are renewed in the
    /// background: the worker receives changes.
    func waitsForNames(of application: ApplicationIndex) -> Bool {
        guard let hold = hold(of: application), !hold.book.names.isEmpty,
            !hold.book.isFresh(at: decider.now.instant)
        else { return false }
        askNames(of: application, hold)
        return !hold.book.isComplete
    }

    private func askNames(of application: ApplicationIndex, _ hold: NetworkHold) {
        guard !hold.isAsking else { return }
        hold.isAsking = true
        resolve(hold.book.names) { [unowned self] found in take(found, of: application, hold) }
    }

    /// Asks a helper process for the addresses of names; `answer` is called once, with none of those that have no address.
    func resolve(_ names: [String], _ answer: @escaping NameResolver.Answer) {
        do throws(HostError) {
            try startedResolver().ask(names, at: decider.now.instant, answer)
        } catch {
            answer([:])
        }
    }

    private func startedResolver() throws(HostError) -> NameResolver {
        if let resolver { return resolver }
        let resolver = NameResolver(executable: workerExecutable)
        try loop.add(resolver)
        resolver.renew = { [unowned self] in renewNames() }
        self.resolver = resolver
        return resolver
    }

    private func take(_ found: [String: [NetworkAddress]], of application: ApplicationIndex, _ hold: NetworkHold) {
        hold.isAsking = false
        let before = hold.hosts
        hold.book.take(found, at: decider.now.instant)
        // The kernel refuses addresses that it could not be given.
        try? hold.update()
        if hold.hosts != before { tellHosts(of: application, hold) }
        if let resolver {
            resolver.nextRenewal = min(resolver.nextRenewal, decider.now.instant + AddressBook.renewal)
        }
        release(application)
    }

    /// Asks again for the names of applications that have workers. Others ask when they get one.
    private func renewNames() {
        var next = Instant.distantFuture
        let living = Set(table.living.map(\.application))
        for (application, hold) in holds where living.contains(application) && !hold.book.names.isEmpty {
            let due = (hold.book.asked ?? decider.now.instant) + AddressBook.renewal
            if due <= decider.now.instant { askNames(of: application, hold) } else { next = min(next, due) }
        }
        resolver?.nextRenewal = next
    }

    /// Workers of this version of the application receive other addresses.
    private func tellHosts(of application: ApplicationIndex, _ hold: NetworkHold) {
        for record in table.employed where record.application == application && !record.isFrozen {
            tellHosts(to: record, hold)
        }
    }

    /// Sends them to a worker that has received none for a while.
    func tellHosts(to record: WorkerRecord) {
        if let hold = holds[record.application] { tellHosts(to: record, hold) }
    }

    private func tellHosts(to record: WorkerRecord, _ hold: NetworkHold) {
        let frame = HostList(lines: hold.hosts).frame()
        guard !frame.isEmpty, record.form === installed.applications[record.application], !record.isGone else { return }
        record.notes = hold.notes
        table.tell(record, frame)
    }
}
