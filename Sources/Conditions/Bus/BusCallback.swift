import CSystemd

/// A Swift closure that sd-bus calls with a message; it lives as long as its slot.
// Its slot goes before its bus, which alone calls it.
@safe final class BusCallback {
    let isOnce: Bool
    let body: (BusMessage) -> Void
    var slot: OpaquePointer?
    private let release: (BusCallback) -> Void

    /// - Parameter release: called when a callback that comes once has come.
    init(isOnce: Bool, release: @escaping (BusCallback) -> Void, _ body: @escaping (BusMessage) -> Void) {
        self.isOnce = isOnce
        self.release = release
        self.body = body
    }

    deinit { _ = unsafe sd_bus_slot_unref(slot) }

    /// What sd-bus is given, with the callback as its context.
    static let trampoline: sd_bus_message_handler_t = { message, context, _ in
        guard let message = unsafe message, let context = unsafe context else { return 0 }
        let callback = unsafe Unmanaged<BusCallback>.fromOpaque(context).takeUnretainedValue()
        unsafe callback.body(BusMessage(raw: message))
        if callback.isOnce { callback.release(callback) }
        return 0
    }

    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
}
