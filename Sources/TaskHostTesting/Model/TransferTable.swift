internal import CTaskHost
internal import Foundation

/// The application's background sessions with their transfers, which outlive its process.
struct TransferTable {
    /// Whom the process hears by.
    @safe struct Listener: @unchecked Sendable {  // constant
        let event: taskhost_transfer_event_fn
        let context: UnsafeMutableRawPointer?
    }

    struct Transfer {
        var isDownload: Bool
        var url: String
        var method: String
        var headers: [(String, String)]
        var file: String
        var text: String
        /// Since 1970; nil: at once.
        var earliest: Int64?
        var isResumed = false
        var isOver = false
    }

    struct Session {
        let identifier: String
        let number: UInt32
        var sendsLaunchEvents: Bool
        var next: UInt32 = 1
        var transfers: [UInt32: Transfer] = [:]
        /// Not acknowledged, oldest first.
        var events: [TransferEvent] = []
        var lastSequence: UInt64 = 0
        /// nil: the process does not have it open.
        var listener: Listener?
        var isReplayed = false
        /// The newest that the process was told.
        var told: UInt64 = 0
        /// The application was called for its events, and is told when these are all.
        var isCalled = false

        /// Something is to be told.
        var hasNews: Bool { events.contains { $0.sequence > told } }
        /// None of its transfers goes on.
        var isQuiet: Bool { !transfers.values.contains { $0.isResumed && !$0.isOver } }
    }

    /// The place of each is its number less one.
    var sessions: [Session] = []
    /// Those that the application was called for, and has not answered for.
    var called: Set<String> = []

    /// Transfers that are not over.
    var open: [TestTransfer] {
        sessions.flatMap { session in
            session.transfers.filter { !$0.value.isOver }.sorted { $0.key < $1.key }.map { number, transfer in
                TestTransfer(
                    session: session.identifier, identifier: Int(number), url: URL(string: transfer.url),
                    method: transfer.method, headers: Dictionary(transfer.headers) { $1 },
                    file: transfer.isDownload ? nil : URL(filePath: transfer.file), text: transfer.text,
                    earliestBeginDate: transfer.earliest.map { Date(timeIntervalSince1970: Double($0) / 1e9) },
                    isSuspended: !transfer.isResumed)
            }
        }
    }

    /// The process has not acknowledged everything that it was told, or not called each completion handler.
    var isTelling: Bool {
        !called.isEmpty || sessions.contains { $0.listener != nil && $0.isReplayed && !$0.events.isEmpty }
    }

    /// The place of a session that is open.
    func place(_ number: UInt32) -> Int? {
        let place = Int(number) - 1
        return sessions.indices.contains(place) && sessions[place].listener != nil ? place : nil
    }

    mutating func add(_ kind: TransferEvent.Kind, of number: UInt32, at place: Int) {
        sessions[place].lastSequence += 1
        sessions[place].events.append(
            TransferEvent(
                session: sessions[place].number, number: number, sequence: sessions[place].lastSequence, kind: kind))
    }

    /// The next event that the process hears of a session, and by whom.
    mutating func next(of place: Int) -> (Listener, TransferEvent)? {
        guard let listener = sessions[place].listener, sessions[place].isReplayed else { return nil }
        let told = sessions[place].told
        if let event = sessions[place].events.first(where: { $0.sequence > told }) {
            sessions[place].told = event.sequence
            return (listener, event)
        }
        guard sessions[place].isCalled else { return nil }
        sessions[place].isCalled = false
        return (listener, TransferEvent(session: sessions[place].number, number: 0, sequence: 0, kind: .allTold))
    }

    /// The next process hears again what this one has not acknowledged.
    mutating func processEnded() {
        called.removeAll()
        for place in sessions.indices {
            sessions[place].listener = nil
            sessions[place].isReplayed = false
            sessions[place].told = 0
            sessions[place].isCalled = false
        }
    }
}

/// What a server answered.
struct TransferAnswer {
    var status: UInt32
    var headers: [(String, String)]
    var path: String
    var size: Int64

    init(status: UInt32, headers: [(key: String, value: String)], path: String, size: Int64) {
        self.status = status
        self.headers = headers.map { ($0.key, $0.value) }
        self.path = path
        self.size = size
    }
}
