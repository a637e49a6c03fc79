import CMicroHTTPD
import Linux

// Starting libmicrohttpd, and its callbacks. Every callback runs within `MHD_run` on the loop's thread.
extension ControlServer {
    /// The server of a callback's context. It outlives its daemon, which `close` stops.
    private static func server(_ context: UnsafeMutableRawPointer?) -> ControlServer? {
        unsafe context.map { unsafe Unmanaged<ControlServer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func transaction(_ context: UnsafeMutableRawPointer?) -> Transaction? {
        unsafe context.map { unsafe Unmanaged<Transaction>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The library cannot continue, as when the kernel has no memory for a watched connection: one sentence and an exit.
    private static let panics:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UInt32, UnsafePointer<CChar>?) -> Void = {
            _, _, _, reason in
            let reason =
                unsafe reason.map { unsafe String(cString: $0).split(separator: "\n").joined(separator: " ") }
                ?? "no reason"
            let sentence = "the control socket cannot be served; libmicrohttpd: \(reason); start the host again"
            try? FileText.write("taskhost: \(sentence)\n", to: STDERR_FILENO)
            ThisProcess.exitAtOnce(70)
        }

    /// The first line of a request has arrived. The result is the context of the request's other calls.
    private static let begins:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            context, target, handle in
            guard let server = unsafe ControlServer.server(context), let target = unsafe target,
                let handle = unsafe handle,
                let connection = unsafe server.connections[taskhost_mhd_descriptor(handle)]
            else { return nil }
            let bytes = unsafe Array(String(cString: target).utf8)
            let transaction = unsafe Transaction(handle, on: connection, target: bytes)
            connection.transaction = transaction
            server.setDeadline(server.limits.receiving, of: connection)
            return unsafe Unmanaged.passRetained(transaction).toOpaque()
        }

    /// The header is complete, a piece of the body has come, or the request is whole.
    private static let access: MHD_AccessHandlerCallback = { context, _, _, method, _, data, size, own in
        guard let server = unsafe ControlServer.server(context), let transaction = unsafe transaction(own?.pointee),
            let size = unsafe size
        else {
            return .NO
        }
        switch transaction.phase {
        case .begun:
            transaction.phase = .receiving
            return unsafe server.admit(transaction, method: method.map { unsafe String(cString: $0) } ?? "")
        case .receiving where unsafe size.pointee > 0:
            let piece = unsafe UnsafeRawBufferPointer(start: data, count: size.pointee)
            unsafe size.pointee = 0
            return unsafe server.take(piece, for: transaction)
        case .receiving: return server.dispatch(transaction)
        case .waiting, .answered, .over: return .NO
        }
    }

    private static let completed: MHD_RequestCompletedCallback = { context, _, own, _ in
        guard let own = unsafe own, let pointer = unsafe own.pointee else { return }
        unsafe own.pointee = nil
        let transaction = unsafe Unmanaged<Transaction>.fromOpaque(pointer).takeRetainedValue()
        unsafe ControlServer.server(context)?.complete(transaction)
    }

    private static let notify: MHD_NotifyConnectionCallback = { context, handle, _, code in
        guard code == .CONNECTION_NOTIFY_CLOSED, let handle = unsafe handle else { return }
        unsafe ControlServer.server(context)?.forget(taskhost_mhd_descriptor(handle))
    }

    func startDaemon() throws(SystemError) -> OpaquePointer {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        func option(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) -> MHD_OptionItem {
            unsafe MHD_OptionItem(option: option, value: value, ptr_value: pointer)
        }
        var options = unsafe [
            option(.CONNECTION_LIMIT, 2 * (limits.connections + limits.readerConnections)),
            option(.CONNECTION_MEMORY_LIMIT, limits.headerBytes),
            // Its timeouts are only for silence, and wake the loop; the server has its own deadlines.
            option(.CONNECTION_TIMEOUT, 0),
            option(.STRICT_FOR_CLIENT, 1),
            option(.URI_LOG_CALLBACK, unsafeBitCast(Self.begins, to: Int.self), context),
            option(.NOTIFY_COMPLETED, unsafeBitCast(Self.completed, to: Int.self), context),
            option(.NOTIFY_CONNECTION, unsafeBitCast(Self.notify, to: Int.self), context),
            option(.END, 0),
        ]
        unsafe MHD_set_panic_func(Self.panics, nil)
        let flags =
            MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_NO_LISTEN_SOCKET.rawValue
        var code: Int32 = 0
        guard let daemon = unsafe taskhost_mhd_start(flags, Self.access, context, &options, &code),
            unsafe taskhost_mhd_epoll(daemon) >= 0
        else { throw SystemError("MHD_start_daemon", code: Errno(code)) }
        return unsafe daemon
    }
}
