import CSystemd
import Linux

/// A listening socket that systemd opened for the host (sd_listen_fds(3)).
package struct ActivatedListener: Hashable, Sendable {
    /// `FileDescriptorName=` of its socket unit.
    package var name: String
    /// The receiver closes it.
    package var descriptor: Int32
    package var isUnix: Bool

    package init(name: String, descriptor: Int32, isUnix: Bool) {
        self.name = name
        self.descriptor = descriptor
        self.isUnix = isUnix
    }

    /// Takes the sockets that systemd passed: at the start of the program, once, before there are other threads, since it
    /// removes the variables from the environment. Sockets other than listening streams are closed.
    package static func takeAll() -> [ActivatedListener] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = unsafe sd_listen_fds_with_names(1, &names)
        defer {
            if let names = unsafe names { unsafe taskhost_free_names(names, count) }
        }
        var found: [ActivatedListener] = []
        for index in 0..<Int(max(0, count)) {
            let socket = Descriptor(adopting: SD_LISTEN_FDS_START + Int32(index))
            guard taskhost_is_listening(socket.number, 0) > 0 else { continue }
            // A blocking one would stop the loop in accept when a client has left already.
            try? socket.makeNonblocking()
            let isUnix = taskhost_is_listening(socket.number, 1) > 0
            let name = unsafe names.flatMap { unsafe $0[index] }.map { unsafe String(cString: $0) } ?? "unknown"
            found.append(ActivatedListener(name: name, descriptor: socket.take(), isUnix: isUnix))
        }
        return found
    }
}
