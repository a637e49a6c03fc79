package import TaskModel

/// A worker opens a background session (`openSession`): answered by `sessionOpened` with the same call ID.
package struct OpenSession: Sendable, Equatable {
    package var identifier: String
    package var options: SessionOptions
    /// Its delegate wants to be asked whether servers are trusted, while it has the session open.
    package var asksServerTrust = false

    package init(identifier: String, options: SessionOptions) {
        self.identifier = identifier
        self.options = options
    }

    package func frame(callID: UInt32) -> [UInt8] {
        var frame = FrameWriter(.openSession, run: RunHandle(callID: callID))
        frame.text(identifier)
        frame.flags(
            options.isDiscretionary, options.sendsLaunchEvents, options.allowsExpensive, options.allowsConstrained,
            asksServerTrust)
        frame.write(options.requestTimeout, options.resourceTimeout, options.connectionsPerHost, options.proxy)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        identifier = try frame.text(most: TransferLimit.identifier)
        options = SessionOptions()
        guard !identifier.isEmpty else { throw .badValue }
        let flags = try frame.flags(5)
        (options.isDiscretionary, options.sendsLaunchEvents) = (flags[0], flags[1])
        (options.allowsExpensive, options.allowsConstrained, asksServerTrust) = (flags[2], flags[3], flags[4])
        (options.requestTimeout, options.resourceTimeout, options.connectionsPerHost) = try frame.read()
        options.proxy = try frame.text(most: TransferLimit.url)
        try frame.end()
    }
}

/// The host's answer to `openSession` (`sessionOpened`), in as many frames as needed.
package struct SessionOpened: Sendable, Equatable {
    /// nil: it is open. `sessionInUse`: another process has it.
    package var fault: TransferError?
    /// For display, with a fault.
    package var sentence = ""
    /// Its number in the other frames.
    package var session: UInt32 = 0
    /// The next `taskIdentifier`: from here on the worker counts.
    package var next: UInt32 = 1
    /// Those of earlier processes of the application, as it may know them (`BackgroundTransfer.write`).
    package var transfers: [BackgroundTransfer] = []
    /// Another frame of the same call ID follows.
    package var more = false
    /// The rest follows when the worker asks for it (`SessionCommand.next`); only with `more`.
    package var awaitsNext = false

    package init() {}

    /// Transfers of one frame.
    package static let batch = 16
    /// Bytes of frames after which the host waits for the worker to ask for the rest: a list has no limit of its own, but a
    /// worker's unread frames have one.
    package static let portion = 256 << 10

    package func frame(callID: UInt32) -> [UInt8] {
        var frame = FrameWriter(.sessionOpened, run: RunHandle(callID: callID))
        frame.integer(fault?.rawValue ?? 0)
        frame.text(sentence, most: ServiceLimits.sentence)
        frame.write(session, next, transfers, UInt8(more ? awaitsNext ? 2 : 1 : 0))
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        fault = try frame.transferError()
        sentence = try frame.text(most: ServiceLimits.sentence)
        let following: UInt8
        (session, next, transfers, following) = try frame.read()
        guard following < 3 else { throw .badValue }
        (more, awaitsNext) = (following > 0, following == 2)
        try frame.end()
    }
}

/// A worker creates a task of a session (`createTransfer`), suspended. There is no answer: a fault is reported as its
/// completion. Numbers grow.
package struct CreateTransfer: Sendable, Equatable {
    package var session: UInt32
    package var number: UInt32
    package var request: TransferRequest

    package init(session: UInt32, number: UInt32, request: TransferRequest) {
        self.session = session
        self.number = number
        self.request = request
    }

    /// nil: it is longer than a worker's frame may be.
    package func frame() -> [UInt8]? {
        var frame = FrameWriter(.createTransfer)
        frame.write(session, number, request)
        return frame.finished()
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (session, number, request) = try frame.read()
        guard number > 0 else { throw .badValue }
        try frame.end()
    }
}

/// A worker's change to a task (`changeTransfer`).
package struct ChangeTransfer: Sendable, Equatable {
    package enum Change: Sendable, Equatable {
        case resume
        case suspend
        case cancel
        /// `cancel(byProducingResumeData:)`: `resumeData` comes before `completed`.
        case cancelProducingResumeData
        case priority(Float)
        case text(String)
        case earliest(Timestamp?)
        case expected(send: Int64?, receive: Int64?)
    }

    package var session: UInt32
    package var number: UInt32
    package var change: Change

    package init(session: UInt32, number: UInt32, _ change: Change) {
        self.session = session
        self.number = number
        self.change = change
    }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.changeTransfer)
        frame.write(session, number)
        switch change {
        case .resume: frame.write(UInt8(1))
        case .suspend: frame.write(UInt8(2))
        case .cancel: frame.write(UInt8(3))
        case .cancelProducingResumeData: frame.write(UInt8(4))
        case .priority(let priority): frame.write(UInt8(5), priority.bitPattern)
        case .text(let text):
            frame.write(UInt8(6))
            frame.text(text, most: TransferLimit.text)
        case .earliest(let date):
            frame.write(UInt8(7))
            frame.date(date)
        case .expected(let send, let receive): frame.write(UInt8(8), send, receive)
        }
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (session, number) = try frame.read()
        switch try frame.integer(UInt8.self) {
        case 1: change = .resume
        case 2: change = .suspend
        case 3: change = .cancel
        case 4: change = .cancelProducingResumeData
        case 5: change = .priority(try frame.share())
        case 6: change = .text(try frame.text(most: TransferLimit.text))
        case 7: change = .earliest(try frame.date())
        case 8: change = .expected(send: try frame.read(), receive: try frame.read())
        default: throw .badValue
        }
        try frame.end()
    }
}

/// A worker answers a challenge or a delayed request (`answerTransfer`).
package struct AnswerTransfer: Sendable, Equatable {
    package var session: UInt32
    package var number: UInt32
    package var answer: TransferAnswer

    package init(session: UInt32, number: UInt32, _ answer: TransferAnswer) {
        self.session = session
        self.number = number
        self.answer = answer
    }

    /// nil: it is longer than a worker's frame may be.
    package func frame() -> [UInt8]? {
        var frame = FrameWriter(.answerTransfer)
        frame.write(session, number)
        switch answer {
        case .credential(let user, let password): frame.write(UInt8(1), user, password)
        case .useDefault: frame.write(UInt8(2))
        case .rejectProtectionSpace: frame.write(UInt8(3))
        case .cancel: frame.write(UInt8(4))
        case .proceed(let request):
            frame.write(UInt8(5), request != nil)
            request?.write(to: &frame)
        case .unasked: frame.write(UInt8(6))
        }
        return frame.finished()
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (session, number) = try frame.read()
        switch try frame.integer(UInt8.self) {
        case 1:
            answer = .credential(
                user: try frame.text(most: ServiceLimits.sentence),
                password: try frame.text(most: TransferLimit.headers))
        case 2: answer = .useDefault
        case 3: answer = .rejectProtectionSpace
        case 4: answer = .cancel
        case 5: answer = .proceed(try frame.read() ? try TransferRequest(partOf: &frame) : nil)
        case 6: answer = .unasked
        default: throw .badValue
        }
        try frame.end()
    }
}

/// A worker has handled an event (`acknowledgeTransfer`), and all before it of the same session.
package struct AcknowledgeTransfer: Sendable, Equatable, BitwiseCopyable {
    package var session: UInt32
    package var sequence: UInt64

    package init(session: UInt32, sequence: UInt64) {
        self.session = session
        self.sequence = sequence
    }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.acknowledgeTransfer)
        frame.write(session, sequence)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (session, sequence) = try frame.read()
        try frame.end()
    }
}

/// A worker's command for a session (`sessionCommand`).
package struct SessionCommand: Sendable, Equatable, BitwiseCopyable {
    package enum Command: UInt8, Sendable, BitwiseCopyable {
        /// It knows the existing tasks: events may be sent.
        case replay = 1
        /// Its object is released, its tasks are over: another process may open it later.
        case invalidate = 2
        /// It has read the list of tasks so far: the rest may be sent.
        case next = 3
    }

    package var session: UInt32
    package var command: Command

    package init(session: UInt32, _ command: Command) {
        self.session = session
        self.command = command
    }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.sessionCommand)
        frame.write(session, command)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (session, command) = try frame.read()
        try frame.end()
    }
}

/// The application is to handle a session's events (`sessionEvents`, host to worker), and has called the completion handler of
/// that (`sessionHandled`, worker to host).
package struct SessionEvents: Sendable, Equatable {
    package var identifier: String

    package init(identifier: String) { self.identifier = identifier }

    package func frame(_ kind: FrameKind) -> [UInt8] {
        var frame = FrameWriter(kind)
        frame.text(identifier)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        identifier = try frame.text(most: TransferLimit.identifier)
        guard !identifier.isEmpty else { throw .badValue }
        try frame.end()
    }
}

/// A worker has a new value of `Authorization` for a server (`setAuthorization`), for all of its application's transfers.
package struct SetAuthorization: Sendable, Equatable {
    /// `https://host:port`, without the scheme's default port. Empty: the server for which the run in the frame's header
    /// renews credentials; if it renews none, the value is ignored.
    package var origin: String
    /// Such as `Bearer …`; empty: none any more.
    package var value: String

    package init(origin: String, value: String) {
        self.origin = origin
        self.value = value
    }

    /// nil: it is longer than a worker's frame may be.
    package func frame(of run: RunHandle = RunHandle(index: 0, generation: 0)) -> [UInt8]? {
        var frame = FrameWriter(.setAuthorization, run: run)
        frame.write(origin, value)
        return frame.finished()
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        origin = try frame.text(most: TransferLimit.url)
        value = try frame.text(most: TransferLimit.headers)
        try frame.end()
    }
}
