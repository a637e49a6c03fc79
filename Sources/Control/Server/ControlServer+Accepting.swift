import CMicroHTTPD
import Linux
import TaskModel

// New connections, and the ends of old ones.
extension ControlServer {
    /// Connections taken from one listener in a turn, so that other sources have theirs.
    private static let acceptsPerTurn = 64
    /// The same of clients without access: who comes after them in the listener's queue does not wait for them, and they
    /// take no place among those that count.
    private static let refusalsPerTurn = 256
    /// Refused clients that may still hold their connection. Further ones are closed without an answer.
    private static let refusedAtOnce = 16
    /// How long to wait when the process or the machine has no descriptor left.
    private static let rest = TimeSpan.milliseconds(100)

    func serveOwn() {
        guard let own else { return }
        for source in own.ready() {
            switch source {
            case .listener(let index): accept(from: listeners[index])
            case .connection(let descriptor):
                guard let connection = connections[descriptor] else {
                    closeRefused(descriptor)
                    continue
                }
                unwatch(connection)
                cut(connection)
            }
        }
    }

    private func accept(from listener: ControlSocket) {
        var (accepted, refusals) = (0, 0)
        while accepted < Self.acceptsPerTurn, refusals < Self.refusalsPerTurn {
            guard places.connections < limits.connections else {
                // Only the first connection is certain to wait: no other connection should end without need.
                if accepted == 0 {
                    makeRoom(ofReader: false)
                    stopListening(until: .distantFuture)
                }
                return
            }
            do throws(SystemError) {
                if admit(try listener.accept()) { accepted += 1 } else { refusals += 1 }
            } catch {
                switch error.code {
                case .EAGAIN: return
                case .EMFILE, .ENFILE, .ENOBUFS, .ENOMEM:
                    // The listener stays readable: without a rest the loop would spin until a descriptor is free.
                    stopListening(until: now.instant + Self.rest)
                    return
                default: refusals += 1  // that client has gone already (accept(2))
                }
            }
        }
    }

    /// Decides by the peer's credentials before a byte of it is read.
    ///
    /// - Returns: false: it has no access, or has gone.
    private func admit(_ descriptor: consuming Descriptor) -> Bool {
        guard let credentials = identify(descriptor) else { return false }
        let access = access(credentials.user, credentials.group)
        guard access != .none else {
            if refused.count < Self.refusedAtOnce { refuse(descriptor, stranger) }
            return false
        }
        // The listener's queue is shared: they do not wait in it.
        if access == .read, places.readerConnections >= limits.readerConnections, !makeRoom(ofReader: true) {
            refuse(descriptor, .tooManyReaders)
            return true
        }
        let peer = Peer(
            user: credentials.user, group: credentials.group, process: credentials.pid, access: access)
        add(descriptor, peer)
        return true
    }

    /// The answer for a client without access: none of its data is read.
    private func refuse(_ descriptor: consuming Descriptor, _ problem: Problem) {
        let reply = ControlReply.problem(problem)
        let head =
            "HTTP/1.1 \(problem.status) \(problem.title)\r\nContent-Type: \(reply.contentType)\r\n"
            + fields.map { "\($0.name): \($0.value)\r\n" }.joined()
            + "Cache-Control: no-store\r\n"
            + "Content-Length: \(reply.body.count)\r\nConnection: close\r\n\r\n"
        let bytes = Array(head.utf8) + reply.body
        // A new socket's buffer has room; a disconnected client does not matter.
        _ = try? descriptor.sendAtOnce(bytes[...])
        descriptor.shutDown(reading: false)
        // Closed at once, it would break the pipe of a client that still writes and has read nothing. A few may take their
        // time.
        guard refused.count < Self.refusedAtOnce, let own,
            own.addHangUp(descriptor.number, .connection(descriptor.number), halfClosed: true)
        else { return }
        refused[descriptor.number] = Refused(descriptor, until: now.instant + limits.receiving)
        armed = min(armed, now.instant + limits.receiving)
    }

    func closeRefused(_ descriptor: Int32) {
        guard refused[descriptor] != nil else { return }
        own?.remove(descriptor)
        refused[descriptor] = nil
    }

    private func add(_ descriptor: consuming Descriptor, _ peer: Peer) {
        guard let daemon = unsafe daemon else { return }
        let number = descriptor.take()
        let connection = Connection(number, peer: peer, deadline: .distantFuture)
        connections[number] = connection
        count(connection, 1)
        // libmicrohttpd closes the descriptor also when it fails.
        guard unsafe taskhost_mhd_add(daemon, number) == .YES else {
            connections[number] = nil
            count(connection, -1)
            return
        }
        setDeadline(limits.receiving, of: connection)
        mustRun = true
    }

    private func count(_ connection: Connection, _ change: Int) {
        if connection.isReader { places.readerConnections += change } else { places.connections += change }
    }

    /// Ends the connection with the nearest deadline among those without a request: they have had their answer, or have not
    /// sent one yet. Its place is free at once.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    private func makeRoom(ofReader isReader: Bool) -> Bool {
        let idle = connections.values.filter {
            $0.isReader == isReader && $0.isCounted && $0.transaction == nil && $0.deadline != .distantFuture
        }
        guard let oldest = idle.min(by: { $0.deadline < $1.deadline }) else { return false }
        cut(oldest)
        if isReader {
            oldest.isCounted = false
            count(oldest, -1)
        }
        mustRun = true
        return true
    }

    // MARK: Resting

    private func stopListening(until instant: Instant) {
        resting = true
        restsUntil = instant
        setListening(false)
    }

    /// Takes clients from now on, those first that wait already. Nothing happens where it does.
    package func listen() {
        guard resting else { return }
        resting = false
        restsUntil = .distantFuture
        setListening(true)
    }

    func setListening(_ on: Bool) {
        for (index, listener) in listeners.enumerated() { own?.setListening(listener.number, .listener(index), on) }
    }

    // MARK: Ends

    /// libmicrohttpd is about to close the descriptor.
    func forget(_ descriptor: Int32) {
        guard let connection = connections.removeValue(forKey: descriptor) else { return }
        if connection.isCounted { count(connection, -1) }
        unwatch(connection)
        listen()
    }

    /// Watches for the client's hang-up while libmicrohttpd does not: a suspended connection is not in its epoll set.
    func watch(_ connection: Connection, halfClosed: Bool) {
        guard !connection.isWatched, let own else { return }
        connection.isWatched = own.addHangUp(
            connection.descriptor, .connection(connection.descriptor), halfClosed: halfClosed)
    }

    func unwatch(_ connection: Connection) {
        guard connection.isWatched else { return }
        connection.isWatched = false
        own?.remove(connection.descriptor)
    }
}
