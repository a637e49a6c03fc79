import CSystemd
import Linux
package import TaskModel

/// A conversation with systemd's manager by its own socket: for root the system's, else the user's, which need no bus.
///
/// It blocks until an answer, up to its timeout: for the start of a program, not for a loop. One thread only.
// Its bus is there from init to deinit, and used by one thread.
@safe package final class SystemdManager {
    /// Why the manager refused a request.
    package struct Fault: Error, Equatable {
        /// The D-Bus error's name; nil when it never answered, or a job failed.
        package var name: String?
        package var sentence: String

        package init(name: String?, sentence: String) {
            self.name = name
            self.sentence = sentence
        }
    }

    private let bus: OpaquePointer
    private let deadline: UInt64
    /// How jobs ended that were reported so far, by their object paths.
    private var endedJobs: [String: String] = [:]
    private var jobWatch: BusCallback?

    private static let destination = "org.freedesktop.systemd1"
    private static let path = "/org/freedesktop/systemd1"
    private static let interface = "org.freedesktop.systemd1.Manager"

    /// Where the manager listens that this process may ask, whether or not one is there.
    package static var socket: String {
        if ThisProcess.isRoot { return "/run/systemd/private" }
        let folder = ThisProcess.variable("XDG_RUNTIME_DIR") ?? "/run/user/\(ThisProcess.user)"
        return folder + "/systemd/private"
    }

    /// - Parameter patience: for everything that is asked, together.
    package init(socket: String, patience: TimeSpan = .seconds(5)) throws(Fault) {
        deadline = Self.microseconds() + UInt64(patience.nanoseconds / 1000)
        do throws(SystemError) {
            var raw: OpaquePointer?
            try unsafe check(sd_bus_new(&raw), "sd_bus_new")
            guard let raw = unsafe raw else { throw SystemError("sd_bus_new", code: .ENOMEM) }
            unsafe bus = raw
            try unsafe check(sd_bus_set_address(raw, BusAddress.address(ofPath: socket)), "sd_bus_set_address", socket)
            try unsafe check(sd_bus_start(raw), "connect", socket)
        } catch {
            throw Fault(name: nil, sentence: "\(error)")
        }
        // Before any request: a job may end before its answer has been read.
        let watch = BusCallback(isOnce: false, release: { _ in }) { [unowned self] message in
            _ = message.readNumber()
            guard let job = message.readPath(), message.readString() != nil, let result = message.readString()
            else { return }
            endedJobs[job] = result
        }
        _ = unsafe sd_bus_add_match(
            bus, &watch.slot, "type='signal',interface='\(Self.interface)',member='JobRemoved'",
            unsafe BusCallback.trampoline,
            unsafe watch.context)
        jobWatch = watch
    }

    deinit {
        jobWatch = nil  // its slot before the bus
        unsafe sd_bus_close_unref(bus)
    }

    /// Calls a method of the manager, and waits for its answer.
    ///
    /// - Parameter arguments: appends them.
    package func call(_ member: String, _ arguments: (inout SystemdArguments) -> Void) throws(Fault) {
        _ = try answer(member, arguments)
    }

    /// Calls a method that answers with a job, and waits for the end of that.
    package func run(_ member: String, _ arguments: (inout SystemdArguments) -> Void) throws(Fault) {
        guard let job = try answer(member, arguments) else {
            throw Fault(name: nil, sentence: "systemd answered \(member) without a job")
        }
        while endedJobs[job] == nil {
            let processed = unsafe sd_bus_process(bus, nil)
            guard processed >= 0 else { throw fault("wait for \(member)", processed) }
            if processed > 0 { continue }
            guard remaining > 0 else {
                throw Fault(name: nil, sentence: "systemd did not finish \(member) in time")
            }
            let waited = unsafe sd_bus_wait(bus, remaining)
            guard waited >= 0 || Errno(-waited) == .EINTR else { throw fault("wait for \(member)", waited) }
        }
        guard let result = endedJobs[job], result == "done" else {
            throw Fault(name: nil, sentence: "systemd ended \(member) as \(endedJobs[job] ?? "unknown")")
        }
    }

    /// - Returns: the object path in the answer; nil when there is none.
    private func answer(_ member: String, _ arguments: (inout SystemdArguments) -> Void) throws(Fault) -> String? {
        var message: OpaquePointer?
        let made = unsafe sd_bus_message_new_method_call(
            bus, &message, Self.destination, Self.path, Self.interface, member)
        guard made >= 0, let message = unsafe message else { throw fault(member, made) }
        defer { unsafe sd_bus_message_unref(message) }
        var list = unsafe SystemdArguments(message)
        arguments(&list)
        var error = unsafe sd_bus_error()
        defer { unsafe sd_bus_error_free(&error) }
        var reply: OpaquePointer?
        let called = unsafe sd_bus_call(bus, message, max(1, remaining), &error, &reply)
        guard called >= 0 else {
            guard unsafe sd_bus_error_is_set(&error) > 0 else { throw fault(member, called) }
            let name = unsafe error.name.map { unsafe String(cString: $0) }
            throw unsafe Fault(name: name, sentence: error.message.map { unsafe String(cString: $0) } ?? name ?? member)
        }
        defer { unsafe sd_bus_message_unref(reply) }
        return unsafe reply.flatMap { unsafe BusMessage(raw: $0).readPath() }
    }

    private func fault(_ what: String, _ code: Int32) -> Fault {
        Fault(name: nil, sentence: "systemd: \(what): \(Errno(-code))")
    }

    private var remaining: UInt64 {
        let now = Self.microseconds()
        return now < deadline ? deadline - now : 0
    }

    private static func microseconds() -> UInt64 { UInt64(Clock.moment().instant.nanoseconds) / 1000 }
}
