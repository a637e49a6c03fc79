import CSystemd
import Linux
import TaskModel

/// One connection to a bus, from the attempt to its end. Nothing blocks: the bus may be slow, silent, or gone.
///
/// *Thread*: the loop's. Callbacks come from `process` alone and must not release the connection: they ask its owner to.
// Its bus is there from init to deinit, and used by one thread.
@safe final class BusConnection {
    private let bus: OpaquePointer
    private var callbacks: [ObjectIdentifier: BusCallback] = [:]

    /// How long a service may take for an answer.
    static let patience = TimeSpan.seconds(5)

    /// - Throws: the error of the attempt, such as ECONNREFUSED.
    init(path: String) throws(SystemError) {
        var raw: OpaquePointer?
        try unsafe check(sd_bus_new(&raw), "sd_bus_new")
        guard let raw = unsafe raw else { throw SystemError("sd_bus_new", code: .ENOMEM) }
        // Everything is initialized: on any later error, deinit closes the bus.
        unsafe bus = raw
        try unsafe check(sd_bus_set_address(raw, BusAddress.address(ofPath: path)), "sd_bus_set_address", path)
        try unsafe check(sd_bus_set_bus_client(raw, 1), "sd_bus_set_bus_client")
        try unsafe check(sd_bus_start(raw), "connect", path)
    }

    deinit {
        callbacks.removeAll()  // slots before their bus
        unsafe sd_bus_close_unref(bus)
    }

    var descriptor: Int32 { unsafe sd_bus_get_fd(bus) }
    var wantsToWrite: Bool { unsafe sd_bus_get_events(bus) & Descriptor.Readiness.writable.events != 0 }

    /// When `process` must be called without new data: a call's time is over, or messages are queued.
    var nextDeadline: Instant {
        var microseconds: UInt64 = .max
        guard unsafe sd_bus_get_timeout(bus, &microseconds) >= 0, microseconds < UInt64.max / 1000 else {
            return .distantFuture
        }
        return Instant(nanoseconds: microseconds * 1000)  // CLOCK_MONOTONIC as ours
    }

    /// Does what can be done now, up to `most` messages.
    func process(most: Int = 128) throws(SystemError) {
        for _ in 0..<most where try unsafe check(sd_bus_process(bus, nil), "sd_bus_process") == 0 { return }
    }

    // MARK: Talking

    /// Calls a method with words for arguments. `reply` gets the answer, or an error of the bus's when none came in time.
    /// A service that does not run is not started.
    func call(
        _ service: String, _ path: String, _ interface: String, _ member: String, _ arguments: [String],
        reply: @escaping (BusMessage) -> Void
    ) throws(SystemError) {
        var message: OpaquePointer?
        try unsafe check(
            sd_bus_message_new_method_call(bus, &message, service, path, interface, member), "sd_bus_message_new")
        defer { unsafe sd_bus_message_unref(message) }
        try unsafe check(sd_bus_message_set_auto_start(message, 0), "sd_bus_message_set_auto_start")
        for argument in arguments {
            try unsafe check(
                sd_bus_message_append_basic(message, BusMessage.code("s"), argument), "sd_bus_message_append")
        }
        let callback = callback(isOnce: true, reply)
        try unsafe check(
            sd_bus_call_async(
                bus, &callback.slot, message, BusCallback.trampoline, callback.context,
                UInt64(Self.patience.nanoseconds / 1000)), "sd_bus_call_async")
        callbacks[ObjectIdentifier(callback)] = callback
    }

    /// Calls `body` for each message that fits the match rule.
    func match(_ rule: String, _ body: @escaping (BusMessage) -> Void) throws(SystemError) {
        let callback = callback(isOnce: false, body)
        try unsafe check(
            sd_bus_add_match_async(
                bus, &callback.slot, rule, BusCallback.trampoline, BusConnection.ignoreReply, callback.context),
            "sd_bus_add_match_async")
        callbacks[ObjectIdentifier(callback)] = callback
    }

    /// Without its own handler, sd-bus closes the connection when the bus refuses a match.
    private static let ignoreReply: sd_bus_message_handler_t = { _, _, _ in 0 }

    private func callback(isOnce: Bool, _ body: @escaping (BusMessage) -> Void) -> BusCallback {
        BusCallback(isOnce: isOnce, release: { [weak self] in self?.callbacks[ObjectIdentifier($0)] = nil }, body)
    }
}
