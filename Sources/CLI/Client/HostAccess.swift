import Control
import Linux
import TaskModel

/// Finds the host that answers a verb.
enum HostAccess {
    /// The host of the state folder.
    ///
    /// - Throws: when none serves it.
    static func open(_ arguments: Arguments) throws(Failure) -> any HostClient {
        if let client = try openIfServed(arguments) { return client }
        throw notServed(try Places.state(arguments))
    }

    /// The host that serves the state folder, or else one in this process that answers for it.
    ///
    /// - Parameters:
    ///   - starts: the verb is about work that only a daemon starts: without one it says so.
    ///   - looks: the verb changes nothing: if there is no state yet, none is created.
    ///   - lasts: the verb follows what it starts.
    ///   - manifests: how it uses them.
    static func openAny(
        _ arguments: Arguments, _ terminal: Terminal, starts: Bool = false, looks: Bool = false,
        lasts: Bool = false, manifests: ManifestNeed = .needed
    ) throws(Failure) -> any HostClient {
        try openAny(arguments) { () throws(Failure) in
            let client = try LocalClient(arguments, terminal, looks: looks, lasts: lasts, manifests: manifests)
            if starts {
                terminal.note("taskhost: no host serves this state; nothing starts until you run: taskhost serve")
            }
            return client
        }
    }

    /// The daemon of the state folder, or else a host in this process. If another host holds the folder without a socket,
    /// this waits a little: it may be starting.
    static func openAny(
        _ arguments: Arguments, else make: () throws(Failure) -> LocalClient
    ) throws(Failure) -> any HostClient {
        let end = Clock.moment().instant + patience
        while true {
            if let client = try openIfServed(arguments) { return client }
            do throws(Failure) {
                return try make()
            } catch {
                guard error.status == ExitStatus.unreachable, Clock.moment().instant < end else { throw error }
                Clock.pause(pause)
            }
        }
    }

    /// How long a host that holds the state may take until its socket answers.
    private static let patience = TimeSpan.seconds(3)
    /// The pause between two checks for its socket.
    private static let pause = TimeSpan.milliseconds(50)

    /// The host that serves the state folder; nil when none does.
    static func openIfServed(_ arguments: Arguments) throws(Failure) -> RemoteClient? {
        let folder = try Places.state(arguments)
        let path = folder + "/" + ControlSocket.fileName
        do throws(SystemError) {
            let place = try ControlSocketPlace(folder)
            // A host that was started by its socket has it elsewhere, and a link to it here.
            let facts = try FileSystem.followedFacts(of: place.path)
            // The owner of the socket reads the requests: it must be this user or root.
            let isTrusted = facts.user == ThisProcess.user || facts.user == 0
            if facts.isSocket, isTrusted {
                return try RemoteClient(folder, consume place)
            }
            throw SystemError("connect", code: facts.isSocket ? .EXDEV : .ENOTSOCK, object: path)
        } catch {
            return try judge(error, path, folder)
        }
    }

    private static func judge(_ error: SystemError, _ path: String, _ folder: String) throws(Failure) -> RemoteClient? {
        switch error.code {
        // There is no socket, or one of a dead host.
        case .ENOENT, .ENOTDIR, .ECONNREFUSED: return nil
        case .EXDEV:
            throw .unreachable(
                "the control socket belongs to another user; \(path); run taskhost as its owner, or use another folder "
                    + "with --state")
        case .ENOTSOCK:
            throw .unreachable("this is not a socket; \(path); remove it, or use another folder with --state")
        case .EACCES, .EPERM:
            throw .unreachable(
                "this user may not talk to the host; \(path); run taskhost as the user who started it, or let "
                    + "\"readers\" in its configuration name this one")
        case .EAGAIN: throw busy(folder)
        default:
            throw .unreachable("the host cannot be reached; \(error); try again, or use another --state")
        }
    }

    static func busy(_ folder: String) -> Failure {
        .unreachable(
            "the host takes no more connections; \(folder): too many wait, or it is stopped; try again, and see who asks it"
        )
    }

    static func notServed(_ folder: String) -> Failure {
        let machine = Places.machineState
        let isAsked = folder == machine || ThisProcess.isRoot
        let isThere = FileSystem.allows(.exists, to: machine + "/" + ControlSocket.fileName)
        return .unreachable(
            "no host serves this state; \(folder); start one with: taskhost serve"
                + (isThere && !isAsked ? ", or ask the machine's own: sudo taskhost …" : ""))
    }
}
