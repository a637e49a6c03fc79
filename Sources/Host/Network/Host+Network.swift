import Engine
import Linux
import TaskModel
import Wire
import Workers

/// What the host keeps of networks: nothing for applications without network grants.
struct HostNetwork {
    var holds: [Int: NetworkHold] = [:]
    /// nil until an application has names.
    var resolver: NameResolver?
    /// nil until an application has network grants, or where the kernel does not hold addresses.
    var datagrams: DatagramGuard?
    var mayHoldAddresses: Bool?
}

// Holding workers to the addresses that their manifest grants.
extension Host {
    /// What the application's network is held to; nil for one without network grants.
    func networkHold(of application: Int) -> NetworkHold? {
        let grants = applications[application].definition.permissions.network
        guard !grants.isEmpty else { return nil }
        if let known = network.holds[application] { return known }
        let hold = NetworkHold(grants) { rules, capacity in
            guard let datagrams = datagramGuard() else { return nil }
            return try? ConnectGuard(rules, capacity: capacity, common: datagrams)
        }
        network.holds[application] = hold
        return hold
    }

    /// nil where the kernel or the host's rights do not hold addresses.
    private func datagramGuard() -> DatagramGuard? {
        if network.mayHoldAddresses == nil {
            network.datagrams = groups.holdsConnections ? try? DatagramGuard() : nil
            network.mayHoldAddresses = network.datagrams != nil
        }
        return network.datagrams
    }

    /// The manifest changed or is gone: workers that live keep what they were launched with.
    func forgetNetwork(of application: Int) { network.holds[application] = nil }

    /// Whether a group that is to be used again is held to what the application is granted now.
    func isHeldAsNow(_ group: ControlGroup, _ application: Int) -> Bool {
        group.connectGuard === network.holds[application]?.connectGuard
    }

    // MARK: Names

    /// Whether a launch has to wait until names are known; then it happens by itself. Known ones that are a while old are
    /// asked for meanwhile: the worker is told when they have changed.
    func waitsForNames(_ launch: LaunchQueue.Entry) -> Bool {
        guard let hold = networkHold(of: launch.application), !hold.book.names.isEmpty,
            !hold.book.isFresh(at: now.instant)
        else { return false }
        askNames(of: launch.application, hold)
        guard !hold.book.isComplete else { return false }
        launches.hold(launch)
        return true
    }

    private func askNames(of application: Int, _ hold: NetworkHold) {
        guard !hold.isAsking else { return }
        hold.isAsking = true
        let answer: NameResolver.Answer = { [unowned self] found in take(found, of: application, hold) }
        do throws(HostError) {
            try resolver().ask(hold.book.names, at: now.instant, answer)
        } catch {
            answer([:])
        }
    }

    private func resolver() throws(HostError) -> NameResolver {
        if let resolver = network.resolver { return resolver }
        let resolver = NameResolver(executable: workerExecutable)
        try add(resolver)
        resolver.renew = { [unowned self] in renewNames() }
        network.resolver = resolver
        return resolver
    }

    private func take(_ found: [String: [NetworkAddress]], of application: Int, _ hold: NetworkHold) {
        hold.isAsking = false
        let before = hold.hosts
        hold.book.take(found, at: now.instant)
        // What could not be told the kernel is refused by it.
        try? hold.update()
        if hold.hosts != before { tellHosts(of: application, hold) }
        if let resolver = network.resolver {
            resolver.nextRenewal = min(resolver.nextRenewal, now.instant + AddressBook.renewal)
        }
        launches.release(application)
    }

    /// Asks again for the names of applications that have workers. Others ask when they get one.
    private func renewNames() {
        var next = Instant.distantFuture
        let living = Set(workers.compactMap { $0?.application })
        for (application, hold) in network.holds where living.contains(application) && !hold.book.names.isEmpty {
            let due = (hold.book.asked ?? now.instant) + AddressBook.renewal
            if due <= now.instant { askNames(of: application, hold) } else { next = min(next, due) }
        }
        network.resolver?.nextRenewal = next
    }

    /// Workers of this form of the application learn of other addresses.
    private func tellHosts(of application: Int, _ hold: NetworkHold) {
        let frame = HostList(lines: hold.hosts).frame()
        guard !frame.isEmpty else { return }
        for case let record? in workers
        where record.application == application && record.form === applications[application] && !record.isGone {
            record.notes = hold.notes
            record.channel.enqueue(frame)
            talk(record)
        }
    }
}
