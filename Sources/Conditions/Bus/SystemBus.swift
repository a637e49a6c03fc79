import Linux
import TaskModel

/// The services of the system bus, over one connection that is renewed whenever the bus comes back.
final class SystemBus: EventSource {
    let services: [BusService]
    /// Why nothing can be asked; nil: the bus answers.
    private(set) var fault: String?

    private enum Tag {
        static let bus: UInt32 = 0
        static let folder: UInt32 = 1
    }

    private let path: String?
    private let changed: ChangeFlag
    private weak var registry: (any SourceRegistry)?
    private var connection: BusConnection?
    /// A copy of our own: sd-bus closes its when the bus hangs up, while it is still watched.
    private var descriptor: Descriptor?
    private var watch: PathWatch?
    private(set) var now = ClockReading(instant: Instant(nanoseconds: 0), time: Timestamp(nanoseconds: 0))
    /// When to try to connect.
    private var attempt = Instant.distantFuture
    /// When an unresponsive bus is given up.
    private var silence = Instant.distantFuture
    private var hasTried = false
    private var connected = Instant(nanoseconds: 0)
    private var backoff = Backoff(first: .milliseconds(100), last: .seconds(60))
    private var signals: [(service: BusService, rule: String, body: (BusMessage) -> Void)] = []

    /// How long a bus may take for its first answer.
    static let patience = TimeSpan.seconds(5)
    /// A connection that lasted so long was a good one.
    private static let steadiness = TimeSpan.seconds(10)
    /// Attempts at a socket without a listener, after which only a change of its folder leads to another one: a bus binds
    /// its socket, which is announced, a moment before it listens. With the pauses above that is 3 seconds.
    private static let refusals = 5

    init(address: String?, services: [BusService], changed: ChangeFlag) {
        self.services = services
        self.changed = changed
        path = address.flatMap { BusAddress.path(of: $0) }
        fault = address == nil ? "no bus is looked for" : "no system bus has answered yet"
        if address != nil && path == nil { fault = "the bus address is not of the form unix:path=…" }
        for service in services {
            service.onRead = { [weak self] service, index in self?.read(service, index) }
        }
    }

    /// Calls `body` for a signal of the service's owner. Before `attach`.
    func onSignal(
        of service: BusService, path: String, interface: String, member: String, _ body: @escaping (BusMessage) -> Void
    ) {
        let rule = "type='signal',sender='\(service.name)',path='\(path)',interface='\(interface)',member='\(member)'"
        signals.append((service, rule, body))
    }

    /// False when it could not be sent, for lack of memory or on a bus that is being lost: then no reply comes.
    @discardableResult
    func call(
        _ service: BusService, _ path: String, _ interface: String, _ member: String, _ arguments: [String],
        reply: @escaping (BusMessage) -> Void
    ) -> Bool {
        guard let connection else { return false }
        do throws(SystemError) {
            try connection.call(service.name, path, interface, member, arguments, reply: reply)
            watchWriting(connection)
            return true
        } catch {
            return false
        }
    }

    // MARK: Source

    func attach(to registry: any SourceRegistry) throws(SystemError) {
        self.registry = registry
        guard let path else { return }
        // When the user's limit of watches is reached, pauses between attempts have to suffice.
        if let watch = try? PathWatch(path: path) {
            self.watch = watch
            try registry.add(watch.number, tag: Tag.folder, urgent: false)
        }
        attempt = Instant(nanoseconds: 0)
    }

    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        self.now = now
        if tag == Tag.bus {
            process()
        } else if let watch, watch.read(), connection == nil {
            backoff.reset()
            attempt = now.instant
        }
    }

    var nextDeadline: Instant {
        var deadline = min(attempt, silence, connection?.nextDeadline ?? .distantFuture)
        for service in services { deadline = min(deadline, service.retry) }
        return deadline
    }

    func advance(to now: ClockReading) {
        self.now = now
        if attempt <= now.instant { connect() }
        if silence <= now.instant { lose("the bus at \(path ?? "") accepts and does not answer") }
        for service in services { service.advance(to: now) }
        process()
    }

    func close() {
        disconnect()
        if let watch { registry?.remove(watch.number) }
        watch = nil
        attempt = .distantFuture
    }

    /// Whether there is no bus, or all services have answered or are absent.
    var isSettled: Bool {
        guard connection != nil else { return path == nil || hasTried }
        return services.allSatisfy(\.isSettled)
    }

    // MARK: Connection

    private func connect() {
        attempt = .distantFuture
        hasTried = true
        guard let path, let registry, connection == nil else { return }
        do throws(SystemError) {
            let connection = try BusConnection(path: path)
            let descriptor = try Descriptor.copy(of: connection.descriptor)
            try registry.add(descriptor.number, tag: Tag.bus, urgent: false)
            self.connection = connection
            self.descriptor = consume descriptor
            silence = now.instant + Self.patience
            connected = now.instant
            try subscribe(connection)
            process()
        } catch {
            disconnect()
            tell("\(error)")
            // There is no bus, or access is denied: the folder announces a change.
            let isPassing = [.EAGAIN, .ENOMEM, .ENOBUFS, .EMFILE, .ENFILE].contains(error.code)
            let mayRest = !isPassing && watch?.isArmed == true
            if mayRest && (error.code == .ENOENT || backoff.attempts >= Self.refusals) { return }
            attempt = now.instant + backoff.next()
        }
    }

    private func subscribe(_ connection: BusConnection) throws(SystemError) {
        for service in services {
            try connection.match(
                "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
                    + "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(service.name)'"
            ) { [weak self] message in
                // sd-bus lets the messages of others through that were sent to us alone; the bus's own name is unforgeable.
                guard message.sender == "org.freedesktop.DBus", message.readString() == service.name,
                    message.readString() != nil, let owner = message.readString()
                else { return }
                self?.heard()
                service.setOwner(owner)
            }
            for path in Set(service.properties.map(\.path)) {
                try connection.match(
                    "type='signal',sender='\(service.name)',path='\(path)',"
                        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
                ) { message in
                    if let owner = service.owner, message.sender == owner { service.read() }
                }
            }
            for signal in signals where signal.service === service {
                try connection.match(signal.rule) { message in
                    if let owner = service.owner, message.sender == owner { signal.body(message) }
                }
            }
            // After the match, so that no change is missed between the two.
            try connection.call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", [service.name]
            ) { [weak self] message in
                guard message.errorName == nil else {
                    if message.errorName == "org.freedesktop.DBus.Error.NameHasNoOwner" {
                        self?.heard()
                        service.setOwner("")
                    }
                    return
                }
                self?.heard()
                if let owner = message.readString() { service.setOwner(owner) }
            }
        }
    }

    /// The bus itself has answered.
    private func heard() {
        silence = .distantFuture
        tell(nil)
    }

    private func process() {
        guard let connection else { return }
        do throws(SystemError) {
            try connection.process()
        } catch {
            lose("the bus at \(path ?? "") is gone")
            return
        }
        watchWriting(connection)
    }

    private func watchWriting(_ connection: BusConnection) {
        guard let number = descriptor?.number else { return }
        registry?.setWritable(number, connection.wantsToWrite, tag: Tag.bus)
    }

    private func lose(_ fault: String) {
        // One that answers and hangs up again and again is asked less and less often.
        if now.instant - connected >= Self.steadiness { backoff.reset() }
        disconnect()
        tell(fault)
        attempt = now.instant + backoff.next()
    }

    private func disconnect() {
        if let number = descriptor?.number { registry?.remove(number) }
        descriptor = nil
        connection = nil
        silence = .distantFuture
        for service in services { service.setOwner(nil) }
    }

    private func tell(_ fault: String?) {
        guard fault != self.fault else { return }
        self.fault = fault
        changed.raise()
    }

    // MARK: Properties

    private func read(_ service: BusService, _ index: Int) {
        let property = service.properties[index]
        let generation = service.generation
        let isSent = call(
            service, property.path, "org.freedesktop.DBus.Properties", "Get", [property.interface, property.name]
        ) { [weak self] message in
            guard let self else { return }
            let error = message.errorName
            let isLate = error == "org.freedesktop.DBus.Error.NoReply" || error == "System.Error.ETIMEDOUT"
            service.take(
                error == nil ? message.readVariant(property.type) : nil, of: index, generation: generation,
                isLate: isLate, at: now)
        }
        if !isSent { service.take(nil, of: index, generation: generation, isLate: true, at: now) }
    }
}
