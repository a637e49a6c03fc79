package import Linux
package import TaskModel

/// A listening socket of the control API.
package final class ControlSocket {
    /// Its name in the state folder.
    package static let fileName = "control.sock"
    /// Clients that may wait to be taken.
    private static let backlog: Int32 = 256

    private var descriptor: Descriptor?
    /// The file to remove at the end, the socket's own or a link to it; nil: there is none.
    private var file: File?
    package var number: Int32 { descriptor.number ?? -1 }

    /// The next client; `EAGAIN`: there is none.
    func accept() throws(SystemError) -> Descriptor {
        switch descriptor {
        case .some(let descriptor): try descriptor.accept()
        case .none: throw SystemError("accept", code: .EAGAIN)
        }
    }

    private struct File {
        var path: String
        var facts: FileSystem.Facts
    }

    private init(_ descriptor: consuming Descriptor, _ file: File?) {
        self.descriptor = consume descriptor
        self.file = file
    }

    /// Takes over a socket that listens already, such as one of systemd's; its file stays when it is closed.
    package convenience init(activated descriptor: consuming Descriptor) throws(SystemError) {
        // An inherited socket may be blocking; then accepting would wait for a client.
        try descriptor.makeNonblocking()
        self.init(descriptor, nil)
    }

    /// The same for one in another folder: `control.sock` in the state folder becomes a link to it, so that clients find the
    /// host there. The link is removed when the socket is closed; a dead host's link leads to the listener for the next
    /// host. A socket without a path, or one that is `control.sock` itself, gets none.
    package static func take(
        _ descriptor: consuming Descriptor, forState folder: String?
    ) throws(ControlSocketError) -> ControlSocket {
        let path = (folder ?? "") + "/" + fileName
        do throws(SystemError) {
            let target = try descriptor.boundPath()
            let socket = try ControlSocket(activated: descriptor)
            guard let folder else { return socket }
            let place = try ControlSocketPlace(folder)
            guard let target, !isSame(target, place.path) else { return socket }
            try removeStale(at: path, place)
            try FileSystem.makeSymbolicLink(place.path, to: target)
            socket.file = File(path: path, facts: try FileSystem.facts(ofPath: place.path))
            return socket
        } catch {
            throw ControlSocketError(error, path: path)
        }
    }

    private static func isSame(_ path: String, _ other: String) -> Bool {
        guard let one = try? FileSystem.facts(ofPath: path), let two = try? FileSystem.facts(ofPath: other) else {
            return false
        }
        return one.device == two.device && one.inode == two.inode
    }

    /// Makes `control.sock` in the state folder. One that a dead host left is replaced.
    ///
    /// - Parameter isPublic: all users may connect (0666), and the server decides about their access; otherwise only
    ///   its owner (0600).
    package static func open(inState folder: String, isPublic: Bool = false) throws(ControlSocketError) -> ControlSocket
    {
        let path = folder + "/" + fileName
        do throws(SystemError) {
            let place = try ControlSocketPlace(folder)
            try removeStale(at: path, place)
            let listener = try Descriptor.listen(at: place.path, mode: 0o600, backlog: backlog)
            // Regardless of the umask.
            if isPublic { try FileSystem.changeMode(place.path, 0o666) }
            return ControlSocket(listener, File(path: path, facts: try FileSystem.facts(ofPath: place.path)))
        } catch {
            throw ControlSocketError(error, path: path)
        }
    }

    /// Listens at an address instead, for a server that answers over TCP.
    package static func listen(at place: SocketAddress) throws(SystemError) -> ControlSocket {
        ControlSocket(try Descriptor.listen(at: place, backlog: backlog), nil)
    }

    /// The port of one that listens at an address.
    package var port: UInt16? {
        switch descriptor {
        case .some(let descriptor): try? descriptor.boundPort()
        case .none: nil
        }
    }

    private static func removeStale(at path: String, _ place: borrowing ControlSocketPlace) throws(SystemError) {
        let facts: FileSystem.Facts
        do throws(SystemError) {
            facts = try FileSystem.facts(ofPath: place.path)
        } catch {
            if error.code == .ENOENT { return }
            throw error
        }
        guard facts.isSocket || facts.isLink else { throw SystemError("bind", code: .ENOTSOCK, object: path) }
        guard facts.user == ThisProcess.user else { throw SystemError("bind", code: .EPERM, object: path) }
        // A link leads to a socket that systemd may keep without a host: the owner of the state folder may change it.
        if facts.isSocket, isServed(place) { throw SystemError("bind", code: .EADDRINUSE, object: path) }
        do throws(SystemError) {
            try FileSystem.remove(place.path)
        } catch {
            if error.code != .ENOENT { throw error }
        }
    }

    /// Whether a living process listens there.
    ///
    /// A host that was killed while it started another process leaves the socket to a child that has not reached its exec:
    /// the socket then listens, although the process that called listen(2) is gone.
    private static func isServed(_ place: borrowing ControlSocketPlace) -> Bool {
        for _ in 0..<queueProbes {
            do throws(SystemError) {
                return isAlive(listenerOf: try Descriptor.connect(to: place.path))
            } catch {
                guard error.code == .EAGAIN else { return false }
            }
            // Its queue is full, and its owner cannot be determined: a host takes from it in a moment.
            Clock.pause(queuePause)
        }
        return true
    }

    /// How often a full queue is tried, with these pauses: for a second.
    private static let queueProbes = 50
    private static let queuePause = TimeSpan.milliseconds(20)

    private static func isAlive(listenerOf connection: borrowing Descriptor) -> Bool {
        // A process of another namespace has no number here, and may well live.
        guard let peer = try? SocketPeer(of: connection), peer.pid > 0 else { return true }
        do throws(SystemError) {
            return !(try ProcessHandle(opening: peer.pid)).hasEnded
        } catch {
            return error.code != .ESRCH
        }
    }

    /// Stops listening, and removes the file that `open` made unless another has taken its place.
    package func close() {
        guard descriptor != nil else { return }
        descriptor = nil
        guard let file, let now = try? FileSystem.facts(ofPath: file.path), now.inode == file.facts.inode,
            now.device == file.facts.device
        else { return }
        try? FileSystem.remove(file.path)
    }
}

/// A path to `control.sock` for bind(2) and connect(2), whose addresses have 107 bytes: through a descriptor of the folder.
package struct ControlSocketPlace: ~Copyable {
    private let folder: Descriptor
    /// Valid while this value lives.
    package var path: String { "/proc/self/fd/\(folder.number)/\(ControlSocket.fileName)" }

    package init(_ folder: String) throws(SystemError) {
        self.folder = try Descriptor.open(folder, [.O_PATH, .O_DIRECTORY])
    }
}

/// Why the control socket cannot be made.
package enum ControlSocketError: Error, Equatable {
    /// Another host answers there.
    case served(path: String)
    /// There is a socket of another user.
    case foreign(path: String)
    /// There is another kind of file.
    case notASocket(path: String)
    case system(SystemError)

    init(_ error: SystemError, path: String) {
        switch error.code {
        case .EADDRINUSE: self = .served(path: path)
        case .EPERM where error.call == "bind": self = .foreign(path: path)
        case .ENOTSOCK: self = .notASocket(path: path)
        // The calls went through a descriptor of the folder.
        default: self = .system(SystemError(error.call, code: error.code, object: path))
        }
    }

    package var sentence: String {
        switch self {
        case .served(let path): "another host answers on the control socket; \(path); stop it, or use another --state"
        case .foreign(let path):
            "the control socket belongs to another user; \(path); ask them to remove it, or use another --state"
        case .notASocket(let path): "this is not a socket; \(path); remove it, or use another --state"
        case .system(let error): "the control socket cannot be made; \(error); mend that, or use another --state"
        }
    }
}
