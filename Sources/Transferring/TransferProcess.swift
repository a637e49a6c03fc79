package import Linux
package import TaskModel
package import Wire

/// The host's side of `taskhost-transfer`: starts it at the first order, receives its reports, ends it when it has been idle
/// for half a minute, and starts it again when it is needed.
///
/// Frames for it are sent once a turn, in as few messages as possible. *Thread*: the loop's.
package final class TransferProcess: EventSource {
    /// Its reports about transfers. Called while the source is served.
    package var report: (TransferHandle, TransferReport) -> Void = { _, _ in }
    /// It ended, or broke the protocol: every unfinished attempt is lost, without a report. With a sentence.
    package var lost: (String) -> Void = { _ in }

    private let executable: String
    private let user: UInt32
    private var registry: (any SourceRegistry)?
    private var child: TransferChild?
    /// It broke the protocol, or closed its end: it is being killed. Attempts that begin now are lost with it, so that no
    /// other process writes to a file while it may.
    private var isDying = false
    /// Processes that were asked to end, and have not ended yet.
    private var leaving: [TransferChild] = []
    private var outbox = TransferOutbox()
    /// Begun and not ended.
    private var open: Set<TransferHandle> = []
    private var idleSince = Instant(nanoseconds: 0)
    private var children: UInt32 = 0
    /// Why it reported that it cannot serve.
    private var refusal = ""
    private var room = [UInt8](repeating: 0, count: longestMessage)

    /// After this time without transfers, the process is ended.
    private static let patience = TimeSpan.seconds(30)
    /// A message of the process is not longer.
    private static let longestMessage = FrameHeader.maximumFrame
    /// Most messages that one turn takes.
    private static let batch = 16

    /// - Parameters:
    ///   - executable: path of `taskhost-transfer`.
    ///   - user: its user when the host is root; no other process may have that user. Otherwise it has the host's.
    package init(executable: String, user: UInt32) {
        self.executable = executable
        self.user = user
    }

    /// Begins an attempt.
    ///
    /// - Parameters:
    ///   - file: the file to write, open for reading and writing: a download, or the answer to an upload. Its position does
    ///     not matter.
    ///   - folder: the folder of `file`, open for reading (not O_PATH): its entry is made durable.
    ///   - source: what an upload sends, open for reading; nil for a download.
    /// - Throws: when there is no such process and none can be started, or the order is too long to send (EMSGSIZE). Nothing
    ///   has begun then.
    package func begin(
        _ order: TransferOrder, file: consuming Descriptor, folder: consuming Descriptor,
        source: consuming Descriptor? = nil
    ) throws(SystemError) {
        guard let frame = order.frame() else { throw SystemError("sendmsg", code: .EMSGSIZE, object: "transfer order") }
        if child == nil { child = try start() }
        open.insert(order.transfer)
        guard !isDying else { return }
        var descriptors = [file.take(), folder.take()]
        if let source { descriptors.append(source.take()) }
        precondition((descriptors.count == 3) == (order.kind == .upload), "an upload has a source, and a download none")
        outbox.add(frame, DescriptorBundle(adopting: descriptors))
    }

    /// Ends the attempt; its report says `stopped`, unless it had ended by itself.
    package func stop(_ transfer: TransferHandle) {
        guard open.contains(transfer), !isDying else { return }
        outbox.add(StopTransfer(transfer).frame())
    }

    /// - Parameter rate: bytes a second; 0: as fast as it goes.
    package func setRate(_ rate: Int64, of transfer: TransferHandle) {
        guard open.contains(transfer), !isDying else { return }
        outbox.add(TransferRate(transfer, rate: rate).frame())
    }

    /// Whether progress is reported.
    package func observe(_ on: Bool, _ transfer: TransferHandle) {
        guard open.contains(transfer), !isDying else { return }
        outbox.add(ObserveTransfer(transfer, on).frame())
    }

    /// Of the process that serves at present; nil: there is none.
    package var pid: Int32? { isDying ? nil : child?.pid }

    private func start() throws(SystemError) -> TransferChild {
        guard let registry else { throw SystemError("posix_spawn", code: .ENOTCONN, object: executable) }
        children &+= 1
        let child = try TransferChild(executable: executable, user: user, number: children)
        try registry.add(child.end, tag: child.endTag, urgent: false)
        do throws(SystemError) {
            try registry.add(child.socket.number ?? -1, tag: child.socketTag, urgent: false)
        } catch {
            registry.remove(child.end)
            throw error
        }
        refusal = ""
        return child
    }

    // MARK: EventSource

    package func attach(to registry: any SourceRegistry) throws(SystemError) { self.registry = registry }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        if let child, child.socketTag == tag {
            if ready.isReadable { receive(from: child, now) }
            if ready.isWritable { flush() }
        } else if let child, child.endTag == tag {
            // Reports from before its end count.
            if !isDying { receive(from: child, now) }
            if !isDying { giveUp(child) }
            lose(child)
        } else if let child = leaving.first(where: { $0.endTag == tag }) {
            leaving.removeAll { $0 === child }
            _ = bury(child)
        }
    }

    package var nextDeadline: Instant {
        child != nil && open.isEmpty && !isDying ? idleSince + Self.patience : .distantFuture
    }

    package func advance(to now: ClockReading) {
        guard let child, open.isEmpty, !isDying, now.instant >= idleSince + Self.patience else { return }
        leave(child)
    }

    package func afterCommit(at now: ClockReading) -> Bool {
        if !outbox.isEmpty { flush() }
        return false
    }

    package func close() {
        if let child { leave(child) }
        for child in leaving {
            child.kill()
            _ = bury(child)
        }
        leaving = []
        open = []
        registry = nil
    }

    // MARK: Talking

    private func flush() {
        guard let child, let number = child.socket.number, !isDying else { return outbox.clear() }
        do throws(SystemError) {
            try child.send(&outbox)
            registry?.setWritable(number, !outbox.isEmpty, tag: child.socketTag)
        } catch {
            // It has ended, as its descriptor will show: earlier reports still count.
            outbox.clear()
        }
    }

    private func receive(from child: TransferChild, _ now: ClockReading) {
        for _ in 0..<Self.batch {
            let length: Int
            do throws(SystemError) {
                length = try child.receive(into: &room)
            } catch {
                if error.code == .EAGAIN { return }
                return giveUp(child)
            }
            guard length > 0 else { return giveUp(child) }
            do throws(WireError) {
                try take(room[..<length], now)
            } catch {
                if refusal.isEmpty { refusal = "it said what no transfer process says (\(error))" }
                return giveUp(child)
            }
            guard self.child === child, !isDying else { return }
        }
    }

    /// The frames of one message.
    private func take(_ message: ArraySlice<UInt8>, _ now: ClockReading) throws(WireError) {
        try MessageFrames.read(message) { (header, reader) throws(WireError) in
            guard let kind = FrameKind(rawValue: header.kind) else { throw .unknownKind(header.kind) }
            if kind == .transferRefused {
                refusal = try reader.text(most: ServiceLimits.sentence)
                return
            }
            let report = try TransferReport(from: &reader, kind: kind)
            // It parses untrusted data: it may report only about ordered transfers.
            guard open.contains(header.transfer) else { throw .badValue }
            if case .ended = report {
                open.remove(header.transfer)
                if open.isEmpty { idleSince = now.instant }
            }
            self.report(header.transfer, report)
        }
    }

    // MARK: Ends

    /// It gets no more orders, and exits when it sees that.
    private func leave(_ child: TransferChild) {
        hangUp(on: child)
        leaving.append(child)
        self.child = nil
        isDying = false
    }

    /// It has closed its end, or broke the rules.
    private func giveUp(_ child: TransferChild) {
        hangUp(on: child)
        child.kill()
        isDying = true
    }

    private func hangUp(on child: TransferChild) {
        if let number = child.socket.number { registry?.remove(number) }
        child.hangUp()
        outbox.clear()
    }

    /// It has ended without being asked to.
    private func lose(_ child: TransferChild) {
        let fate = bury(child)
        self.child = nil
        isDying = false
        open = []
        let cause = refusal.isEmpty ? fate : refusal
        lost("taskhost-transfer (process \(child.pid)) is gone: \(cause); its transfers continue later")
    }

    private func bury(_ child: TransferChild) -> String {
        registry?.remove(child.end)
        return child.reap()
    }
}
