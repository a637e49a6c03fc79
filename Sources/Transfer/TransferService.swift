import Linux
import TaskModel
import Wire

/// The loop of the transfer process: the host's line, curl's sockets, the threads that make files durable. One thread.
final class TransferService {
    let line: HostLine
    let curl: CurlMulti
    /// Of this turn.
    private(set) var now = Clock.moment().instant
    private let poller: Poller
    private let socket: Int32
    private let syncer: Syncer
    private let digester: Syncer
    /// What came for a file in this turn and is not written yet.
    let buffer = WriteBuffer()
    private var attempts: [TransferHandle: Attempt] = [:]
    /// When the first of them may have been silent for too long.
    private var nextLook = Instant.distantFuture
    /// When the first paused attempt continues.
    private var nextResumption = Instant.distantFuture
    /// When progress is reported next; `distantFuture`: there is none.
    private var nextProgress = Instant.distantFuture

    /// Keys of sources other than curl's sockets, whose keys are their numbers.
    private static let lineKey = UInt64.max
    private static let syncerKey = UInt64.max - 1
    private static let digesterKey = UInt64.max - 2
    /// Between two reports of progress of a transfer.
    private static let progressPause = TimeSpan.milliseconds(100)

    init(line socket: Int32) throws(SystemError) {
        poller = try Poller()
        curl = try CurlMulti(poller: poller)
        line = HostLine(socket: socket)
        self.socket = socket
        syncer = try Syncer()
        digester = try Syncer()
        try poller.add(socket, key: Self.lineKey)
        try poller.add(syncer.descriptor, key: Self.syncerKey)
        try poller.add(digester.descriptor, key: Self.digesterKey)
    }

    func run() throws(SystemError) -> Never {
        while true {
            let count = try poller.wait(until: min(curl.deadline, nextLook, nextProgress, nextResumption), now: now)
            now = Clock.moment().instant
            for index in 0..<count { serve(poller[index]) }
            curl.advance(to: now)
            if nextResumption <= now { resume() }
            buffer.flush()
            reap()
            if nextLook <= now { look() }
            if nextProgress <= now { reportProgress() }
            line.flush()
            poller.setWritable(socket, line.isWaiting, key: Self.lineKey)
        }
    }

    private func serve(_ source: ReadySource) {
        switch source.key {
        case Self.lineKey: if source.isReadable { line.receive { take($0) } }
        case Self.syncerKey: for (job, outcome) in syncer.take() { finish(job, outcome) }
        case Self.digesterKey: for (job, outcome) in digester.take() { finish(job, outcome) }
        default: curl.act(on: Int32(truncatingIfNeeded: source.key), source)
        }
    }

    private func take(_ word: HostLine.Word) {
        switch word {
        case .order(let order, let file, let folder, let source):
            let attempt = Attempt(order, file: file, folder: folder, source: source, self)
            attempts[order.transfer] = attempt
            nextLook = min(nextLook, now + order.timeout)
            attempt.begin()
        case .stop(let transfer): attempts[transfer]?.stop()
        case .rate(let transfer, let rate): attempts[transfer]?.set(rate: rate)
        case .observe(let transfer, let on):
            guard let attempt = attempts[transfer] else { return }
            attempt.observe(on)
            written(attempt)
        }
    }

    private func reap() {
        while let (easy, code) = unsafe curl.nextEnded() {
            guard let context = unsafe curl.context(of: easy) else { continue }
            unsafe Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue().exchangeEnded(code)
        }
    }

    // MARK: Reports of attempts

    func ended(_ attempt: Attempt, _ result: TransferResult) {
        guard attempts.removeValue(forKey: attempt.order.transfer) != nil else { return }
        line.report(.ended(result), of: attempt.order.transfer)
        if attempts.isEmpty {
            nextLook = .distantFuture
            nextProgress = .distantFuture
        }
    }

    /// Its rate is used up until then.
    func isHeld(until instant: Instant) { nextResumption = min(nextResumption, instant) }

    /// Bytes went into the file.
    func written(_ attempt: Attempt) {
        guard attempt.isObserved, nextProgress == .distantFuture else { return }
        nextProgress = now + Self.progressPause
    }

    /// It is answered by `isDurable` or `lose`, and then `checkpointEnded`.
    func makeCheckpoint(_ attempt: Attempt) {
        syncer.add(Syncer.Job(transfer: attempt.order.transfer, file: attempt.part.file, size: attempt.part.size))
    }

    /// A long digest does not delay other files.
    func makeDurable(_ attempt: Attempt) {
        let job = Syncer.Job(
            transfer: attempt.order.transfer, file: attempt.part.file, folder: attempt.part.folder,
            size: attempt.part.size,
            sha256: attempt.order.sha256)
        (job.sha256.isEmpty ? syncer : digester).add(job)
    }

    private func finish(_ job: Syncer.Job, _ outcome: Syncer.Outcome) {
        // One that was begun again under the same handle has another file.
        guard let attempt = attempts[job.transfer], attempt.part.file === job.file else { return }
        switch outcome {
        case .durable where job.folder == nil: attempt.isDurable(to: job.size)
        case .durable: attempt.end(TransferResult(.finished))
        case .failed(let code, let entry): attempt.lose(code, entry: entry)
        case .otherDigest(let digest):
            attempt.end(
                TransferFault(
                    .failed, .cannotDecodeContent,
                    "the file has the SHA-256 \(FileDigest.text(digest)), not \(FileDigest.text(job.sha256)); "
                        + "\(TransferURL(attempt.order.url)?.host ?? "its server"); see which of the two is right",
                    isFileUseless: true))
        }
        if job.folder == nil { attempt.checkpointEnded() }
    }

    // MARK: Time

    /// Checks for attempts that were silent for too long.
    private func look() {
        nextLook = .distantFuture
        for attempt in Array(attempts.values) where !attempt.isWhole && !attempt.isEnding {
            let end = attempt.activity + attempt.order.timeout
            if end <= now { attempt.timeOut() } else { nextLook = min(nextLook, end) }
        }
    }

    private func resume() {
        nextResumption = .distantFuture
        for attempt in Array(attempts.values) {
            guard let instant = attempt.resumption else { continue }
            if instant <= now { attempt.resume() } else { isHeld(until: instant) }
        }
    }

    private func reportProgress() {
        nextProgress = .distantFuture
        // The host receives it when it reads again.
        guard !line.isWaiting else { return }
        for attempt in attempts.values { attempt.reportProgress() }
    }
}
