import CMicroHTTPD
import Linux
import TaskModel

// A request on its way: header, body, handler, reply.
extension ControlServer {
    // MARK: Receiving

    /// The header is complete: everything that can be refused by it alone is refused before the body.
    func admit(_ transaction: Transaction, method name: String) -> MHD_Result {
        var header = RequestHeader()
        unsafe withUnsafeMutablePointer(to: &header) { pointer in
            _ = unsafe MHD_get_connection_values(
                transaction.handle, .HEADER_KIND,
                { context, _, name, value in
                    guard let header = unsafe context?.assumingMemoryBound(to: RequestHeader.self),
                        let name = unsafe name, let value = unsafe value
                    else {
                        return .YES
                    }
                    unsafe header.pointee.note(String(cString: name), String(cString: value))
                    return .YES
                }, unsafe pointer)
        }
        do throws(Problem) {
            if let token {
                guard token.admits(header.authorization) else { throw .unauthorized }
            } else if judge == nil {
                try header.checkSource()
            }
            transaction.lastEventID = header.lastEventID
            let target = try RequestTarget(parsing: transaction.target)
            try judge?(RequestHead(name, target.path, header))
            // HEAD is a GET of which libmicrohttpd drops the reply's body.
            let method = ControlRequest.Method(rawValue: name == "HEAD" ? "GET" : name)
            let allowed = handler?.methods(of: target.path) ?? []
            guard let method, allowed.isEmpty || allowed.contains(method) else {
                throw .methodNotAllowed(name, allowed: allowed)
            }
            guard transaction.connection.peer.access == .all || handler?.letsReaders(method, target.path) != false
            else {
                throw .readOnly
            }
            try header.check(limit: limits.bodyBytes)
            transaction.request = ControlRequest(
                method, target.path, query: target.query, peer: transaction.connection.peer)
            transaction.request.accept = header.accept
            transaction.request.traceparent = header.traceparent
            transaction.request.lastEventID = header.lastEventID
            transaction.isHead = name == "HEAD"
            if let length = header.length { transaction.request.body.reserveCapacity(length) }
            return .YES
        } catch {
            return reply(.problem(error), to: transaction)
        }
    }

    /// A piece of the body. libmicrohttpd takes no reply before its end.
    func take(_ piece: UnsafeRawBufferPointer, for transaction: Transaction) -> MHD_Result {
        transaction.received += piece.count
        guard transaction.received <= limits.discardedBytes else { return .NO }
        if transaction.received <= limits.bodyBytes { unsafe transaction.request.body.append(contentsOf: piece) }
        return .YES
    }

    // MARK: Answering

    /// The request is whole.
    func dispatch(_ transaction: Transaction) -> MHD_Result {
        guard transaction.received <= limits.bodyBytes else {
            return reply(.problem(.bodyTooLarge(limit: limits.bodyBytes)), to: transaction)
        }
        guard let handler else { return reply(.problem(.stopping), to: transaction) }
        setDeadline(nil, of: transaction.connection)
        if hasEvents, transaction.request.method == .get, transaction.request.path == Self.eventsPath {
            return openStream(transaction, of: handler)
        }
        transaction.phase = .waiting
        noteDispatch()
        if transaction.request.body.count > Self.lightBody {
            // Each takes milliseconds: small ones that came with it do not wait for that.
            heavy.append(transaction)
        } else {
            hand(transaction, to: handler)
            if let reply = transaction.reply { return self.reply(reply, to: transaction) }
        }
        transaction.isSuspended = true
        unsafe MHD_suspend_connection(transaction.handle)
        waiting.append(transaction)
        return .YES
    }

    /// Bytes of a body that is handled at once.
    private static let lightBody = 16 << 10

    private func hand(_ transaction: Transaction, to handler: any ControlHandler) {
        handler.handle(transaction.request) { [weak self] reply in self?.answer(transaction, reply) }
        transaction.request.body = []
    }

    /// Hands one request with a large body to the handler, the oldest.
    func handHeavy() {
        while !heavy.isEmpty {
            let transaction = heavy.removeFirst()
            guard transaction.phase == .waiting else { continue }
            guard let handler else { return answer(transaction, .problem(.stopping)) }
            noteDispatch()
            return hand(transaction, to: handler)
        }
    }

    /// Called by the handler. Does nothing when the client has disconnected.
    func answer(_ transaction: Transaction, _ reply: ControlReply) {
        guard transaction.phase == .waiting, transaction.reply == nil else {
            reply.flow?.close()
            return
        }
        guard transaction.isSuspended else {
            transaction.reply = reply  // the handler has not returned: `dispatch` sends it
            return
        }
        unwatch(transaction.connection)
        _ = self.reply(reply, to: transaction)
        resume(transaction)
    }

    func reply(_ reply: ControlReply, to transaction: Transaction) -> MHD_Result {
        if let flow = reply.flow {
            transaction.flow = flow
            flow.begin(transaction, of: self)
        }
        guard let response = unsafe response(of: reply) else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        unsafe MHD_add_response_header(response, "Content-Type", reply.contentType)
        for (name, value) in reply.headers { unsafe MHD_add_response_header(response, name, value) }
        let result = unsafe send(response, status: reply.status, to: transaction)
        // Without a length it lasts as long as the client listens, and libmicrohttpd does not notice the end of that while
        // there is nothing to send.
        if let flow = reply.flow { watch(transaction.connection, halfClosed: flow.size == nil) }
        if let file = reply.file {
            let seconds = Int64(file.size / UInt64(limits.sendingRate))
            setDeadline(
                TimeSpan(nanoseconds: limits.sending.nanoseconds + seconds * 1_000_000_000), of: transaction.connection)
        }
        return result
    }

    /// Bytes of a body that are copied at once.
    private static let copiedBytes = 64 << 10

    private func response(of reply: ControlReply) -> OpaquePointer? {
        if let flow = reply.flow { return unsafe flow.response() }
        if let file = reply.file {
            // libmicrohttpd closes its descriptor with the response.
            guard let own = try? file.descriptor.duplicate() else { return nil }
            return unsafe MHD_create_response_from_fd(Int(file.size), own.take())
        }
        // The library copies a whole body: megabytes would take longer than a turn may.
        guard reply.parts.count == 1, reply.parts[0].count <= Self.copiedBytes else {
            return unsafe PartsReader(reply.parts).response()
        }
        return unsafe reply.parts[0].withUnsafeBytes {
            // libmicrohttpd copies it, according to its manual; the parameter is not const because of its other modes.
            unsafe MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    func send(_ response: OpaquePointer, status: Int, to transaction: Transaction) -> MHD_Result {
        transaction.phase = .answered
        unsafe MHD_add_response_header(response, "Cache-Control", "no-store")
        for (name, value) in fields { unsafe MHD_add_response_header(response, name, value) }
        let result = unsafe MHD_queue_response(transaction.handle, UInt32(clamping: status), response)
        if transaction.stream == nil, transaction.flow == nil {
            setDeadline(limits.sending, of: transaction.connection)
        }
        return result
    }

    /// The reply has been sent, or never will be.
    func complete(_ transaction: Transaction) {
        transaction.phase = .over
        transaction.isSuspended = false
        let connection = transaction.connection
        if connection.transaction === transaction { connection.transaction = nil }
        unwatch(connection)
        setDeadline(limits.idle, of: connection)
        // An idle connection can be closed to make room for waiting ones.
        if restsUntil == .distantFuture { listen() }
        if let stream = transaction.stream {
            transaction.stream = nil
            if connection.isReader { places.readerStreams -= 1 } else { places.streams -= 1 }
            stream.close()
        }
        if let flow = transaction.flow {
            transaction.flow = nil
            flow.close()
        }
    }

    // MARK: Streams

    /// All clients' events together have a bound: whoever is furthest behind loses his stream.
    func boundEvents() {
        while held.bytes > limits.heldEventBytes {
            let streams = connections.values.compactMap { $0.transaction?.stream }
            guard let slowest = streams.max(by: { $0.lag < $1.lag }), slowest.lag > 0 else { return }
            slowest.drop()
        }
    }

    private func openStream(_ transaction: Transaction, of handler: any ControlHandler) -> MHD_Result {
        guard !transaction.isHead else {
            return reply(.problem(.methodNotAllowed("HEAD", allowed: [.get])), to: transaction)
        }
        let isReader = transaction.connection.isReader
        let isFull =
            isReader ? places.readerStreams >= limits.readerStreams : places.streams >= limits.streams
        guard !isFull else { return reply(.problem(.tooManyStreams), to: transaction) }
        let stream = EventStream(transaction, of: self, limit: limits.streamBytes)
        if let refusal = handler.openStream(transaction.request, to: stream) {
            return reply(refusal, to: transaction)
        }
        // From here on `complete` reports the stream's end to the handler.
        transaction.stream = stream
        if isReader { places.readerStreams += 1 } else { places.streams += 1 }
        guard let response = unsafe stream.response() else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        unsafe MHD_add_response_header(response, "Content-Type", "text/event-stream")
        // libmicrohttpd does not notice the end of a client's data while it has nothing to send.
        watch(transaction.connection, halfClosed: true)
        return unsafe send(response, status: 200, to: transaction)
    }
}
