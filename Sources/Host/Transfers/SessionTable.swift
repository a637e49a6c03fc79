import Engine
import Record
import Setting
import TaskModel
import Transfers

/// Background sessions: their names, their numbers in frames, and the processes that have them open. Thread: the loop's.
final class SessionTable {
    private var sessions: [SessionHandle: SessionRecord] = [:]
    /// By their numbers in frames.
    private var places: [UInt32: SessionHandle] = [:]
    private var names: [ApplicationIndex: [String: SessionHandle]] = [:]
    /// Sessions to write.
    private var changed: Set<SessionHandle> = []
    private let place: HostPlace
    private let decider: Decider
    private let keeper: RecordKeeper
    private let installed: Installation
    /// An application has its first session: changes of one without sessions are not followed.
    var began: (ApplicationIndex) -> Void = { _ in }

    /// The session of transfers that users add: no application opens it, and none is launched for it.
    static let own = "taskhost"

    init(_ place: HostPlace, _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation) {
        self.place = place
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
    }

    // MARK: Looking

    subscript(handle: SessionHandle) -> SessionRecord? { sessions[handle] }

    /// Applications that have had a session since they were installed.
    var applications: [ApplicationIndex] { Array(names.keys) }

    func isKnown(_ application: ApplicationIndex) -> Bool { names[application] != nil }

    func all(of application: ApplicationIndex) -> [SessionRecord] {
        names[application]?.values.compactMap { sessions[$0] } ?? []
    }

    func count(of application: ApplicationIndex) -> Int { names[application]?.count ?? 0 }

    func named(_ name: String, of application: ApplicationIndex) -> SessionRecord? {
        names[application]?[name].flatMap { sessions[$0] }
    }

    /// The session in a worker's frame; nil: the worker does not have it open any more.
    func numbered(_ number: UInt32, of worker: WorkerRecord) -> SessionRecord? {
        guard let session = places[number].flatMap({ sessions[$0] }), session.opener == worker.handle else {
            return nil
        }
        return session
    }

    /// Transfers that the application has, those included that it has not acknowledged.
    func transferCount(of application: ApplicationIndex) -> Int {
        all(of: application).reduce(0) { $0 + $1.transfers.count }
    }

    // MARK: Changes

    /// Takes a session into the tables: a new one, or one of the record.
    func add(_ stored: StoredSession, of application: ApplicationIndex) -> SessionRecord {
        let handle = decider.addSession(options(of: stored, application))
        let session = SessionRecord(handle: handle, application: application, stored: stored)
        sessions[handle] = session
        places[handle.index] = handle
        let isFirst = names[application]?.isEmpty ?? true
        names[application, default: [:]][stored.identifier] = handle
        if isFirst { began(application) }
        return session
    }

    /// What the policy needs to know of it.
    func options(of stored: StoredSession, _ application: ApplicationIndex) -> NewSession {
        var new = NewSession(application: application)
        new.isDiscretionary = stored.options.isDiscretionary
        // A library that is not an application could not receive events.
        let isApplication = installed.applications[application].library?.isApplication == true
        new.sendsLaunchEvents = stored.options.sendsLaunchEvents && isApplication && place.schedules
        new.allowsExpensive = stored.options.allowsExpensive
        new.allowsConstrained = stored.options.allowsConstrained
        // Transfers that users add have no session with a limit: the host's configuration has one.
        let isOwn = stored.identifier == Self.own
        new.connectionsPerHost = isOwn ? .max : max(1, stored.options.connectionsPerHost)
        new.resourceTimeout = stored.options.resourceTimeout
        new.awaitsHandling = stored.awaitsHandling
        return new
    }

    /// It is written with this turn.
    func noteChange(of session: SessionRecord) { changed.insert(session.handle) }

    /// Its application has invalidated it.
    func remove(_ session: SessionRecord) {
        sessions[session.handle] = nil
        places[session.handle.index] = nil
        names[session.application]?[session.stored.identifier] = nil
        changed.remove(session.handle)
        keeper.write(.sessionForgotten(session.stored.id))
    }

    /// Adds changed sessions to the turn's record.
    func write() {
        for handle in changed {
            if let session = sessions[handle] { keeper.write(.session(session.stored)) }
        }
        changed.removeAll(keepingCapacity: true)
    }

    /// Nothing waits for the next turn.
    var isSettled: Bool { changed.isEmpty }
}
