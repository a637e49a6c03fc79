import CCurl
import Linux
import TaskModel
import Wire

/// One order in progress: the present exchange, the file, and the reports. *Thread*: the loop's.
///
/// The conversation decides about requests and the meaning of answers.
// Its handle is its own from `ask` to `release`, its words live as long as it does; one thread.
@safe final class Attempt {
    let order: TransferOrder
    let file: OpenFile
    let folder: OpenFile
    /// What an upload sends.
    let source: OpenFile?
    private let conversation: Guide
    private unowned let service: TransferService

    /// Of the present exchange; nil: there is none.
    private var easy: UnsafeMutableRawPointer?
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var reader = AnswerReader()
    private var use = AnswerUse.none
    private(set) var request: ExchangeRequest?
    /// The proxy has not opened the way to the server yet.
    private var isBeforeTunnel = false
    /// libcurl's description of a failure.
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// Bytes of the request's content that were handed to libcurl.
    private var given: Int64 = 0
    /// An address that may not be connected to; empty: there was none.
    private var refused = ""
    /// Another one was tried.
    private var wasTried = false
    /// Bytes of a body that is ignored.
    private var ignored = 0
    /// Enough of such a body: the connection is given up instead.
    private var isCut = false
    private var fault: TransferFault?
    /// How TLS ends, where the present body ends with it; nil: the body has a length of its own.
    private var farewell: Farewell?

    /// Bytes in the file.
    private(set) var size: Int64
    /// Bytes that came for it.
    private var written: Int64 = 0
    private(set) var sent: Int64 = 0
    private var address = ""
    private var wasAnswered = false
    /// When a byte came or went.
    private(set) var activity: Instant
    private(set) var isObserved: Bool
    private var reported: Int64 = 0
    private var checkpoint: Checkpoint
    private var standing: Durability
    private var gate: RateGate
    /// When libcurl continues after a pause by the rate gate; nil: it is not paused.
    private(set) var resumption: Instant?
    /// Its body is whole, and on its way to the disk.
    private(set) var isWhole = false
    /// How it ends, once the syncs that are under way have answered.
    private var ending: TransferResult?

    /// It only waits for syncs that are under way.
    var isEnding: Bool { ending != nil }

    /// Bytes of an unwanted body that are read, so that the connection can be used again.
    private static let mostIgnored = 64 << 10

    init(_ order: TransferOrder, file: OpenFile, folder: OpenFile, source: OpenFile?, _ service: TransferService) {
        self.order = order
        self.file = file
        self.folder = folder
        self.source = source
        self.service = service
        size = order.offset
        activity = service.now
        isObserved = order.isObserved
        checkpoint = Checkpoint(size: order.offset, at: service.now)
        standing = Durability(of: min(order.durable, order.offset))
        gate = RateGate(rate: order.rate)
        conversation = Self.conversation(for: order, source: source)
    }

    deinit { unsafe words.deallocate() }

    // MARK: Exchanges

    func begin() {
        do throws(TransferFault) {
            try ask(conversation.begin())
        } catch {
            end(error)
        }
    }

    private func ask(_ request: ExchangeRequest) throws(TransferFault) {
        guard let easy = unsafe service.curl.handle() else {
            throw TransferFault(.interrupted, .unknown, "the transfer process has no memory")
        }
        unsafe self.easy = easy
        self.request = request
        isBeforeTunnel = request.url.isSecure && !order.proxy.isEmpty
        given = 0
        refused = ""
        wasTried = false
        unsafe words[0] = 0
        reader = AnswerReader()
        use = .none
        ignored = 0
        isCut = false
        activity = service.now
        unsafe taskhost_curl_set_sinks(easy, Self.bodyCame, Self.lineCame, Unmanaged.passUnretained(self).toOpaque())
        unsafe fields = try unsafe configure(easy, request)
        guard unsafe service.curl.start(easy) else {
            throw TransferFault(.interrupted, .unknown, "the transfer process has no memory")
        }
    }

    /// The exchange has ended, in any way.
    func exchangeEnded(_ code: CURLcode) {
        guard let easy = unsafe easy else { return }
        activity = service.now
        let failure = unsafe code == CURLE_OK || isCut ? nil : CurlFailure(code, easy, circumstances)
        unsafe note(address: easy)
        if failure == nil, !isCut, let farewell, !farewell.hasCome { fault = fault ?? cutShort }
        release(isFailed: failure != nil)
        if let fault { return end(fault) }
        // The way was closed by the proxy itself, which libcurl takes for a failure.
        let isProxyQuestion = isBeforeTunnel && reader.isComplete && conversation.hasQuestion
        if !refused.isEmpty, !wasTried, failure != nil { return end(refusal) }
        if let failure, !isProxyQuestion { return end(failure.fault) }
        guard reader.isComplete else { return end(noAnswer) }
        switch conversation.ended(reader.answer, size: size) {
        case .request(let request):
            do throws(TransferFault) { try ask(request) } catch { end(error) }
        case .whole:
            isWhole = true
            service.line.report(.whole(received: size), of: order.transfer)
            service.makeDurable(self)
        case .end(let result): end(result)
        }
    }

    private var circumstances: CurlFailure.Circumstances {
        let words = unsafe String(cString: words)
        return CurlFailure.Circumstances(
            isCut: reader.isComplete, host: request?.url.host ?? "", words: words,
            isSecret: OrderSecrets(order, request).areIn(words), hasCertificate: !order.certificate.isEmpty)
    }

    /// The exchange is over for libcurl, without a final answer.
    private var noAnswer: TransferFault {
        let what =
            reader.answer.status == 101
            ? "the server changes to another protocol, which nobody asked for" : "the server's answer has no end"
        return TransferFault(
            .failed, .badServerResponse, "\(what); \(request?.url.host ?? ""); see whether the server speaks HTTP there"
        )
    }

    /// The body may have been longer (RFC 9112 9.8).
    private var cutShort: TransferFault {
        TransferFault(
            .interrupted, .connectionLost,
            "the connection ended within the answer, whose length is unknown; \(request?.url.host ?? ""); it is tried again"
        )
    }

    /// None of the host's addresses may be connected to.
    private var refusal: TransferFault {
        TransferFault(
            .failed, .notPermitted,
            "\(request?.url.host ?? "the host") resolves to \(refused), which the application's permissions.network do not "
                + "grant; grant the address itself to reach it")
    }

    /// Gives the handle of the exchange back. Not from within curl's callbacks.
    ///
    /// - Parameter isFailed: the handle remembers the system's error, which would be reported for its next exchange.
    private func release(isFailed: Bool = false) {
        service.buffer.drop(self)
        if let easy = unsafe easy {
            unsafe service.curl.remove(easy)
            unsafe service.curl.release(easy, isFailed: isFailed)
        }
        unsafe curl_slist_free_all(fields)
        farewell = nil
        resumption = nil
        unsafe easy = nil
        unsafe fields = nil
    }

    // MARK: Commands of the host

    /// Ends at once, unless it is whole already.
    func stop() {
        guard !isWhole, !isEnding else { return }
        release()
        end(TransferResult(.stopped))
    }

    func set(rate: Int64) {
        gate.set(rate: rate, at: service.now)
        if resumption != nil { hold(until: service.now) }
    }

    /// libcurl is paused until then. The pause does not count as silence of the server.
    private func hold(until instant: Instant) {
        resumption = instant
        activity = instant
        service.isHeld(until: instant)
    }

    /// Not from within curl's callbacks, which it calls.
    func resume() {
        resumption = nil
        if let easy = unsafe easy { unsafe curl_easy_pause(easy, 0) }
    }

    func observe(_ on: Bool) { isObserved = on }

    /// Nothing moved for as long as the order allows.
    func timeOut() {
        release()
        if let fault { return end(fault) }
        end(
            TransferResult(
                .interrupted, error: .timedOut,
                sentence: "the server was silent for \(order.timeout); it is asked again later"))
    }

    /// Reports progress, if that is requested and has changed.
    func reportProgress() {
        guard isObserved, size + sent != reported else { return }
        reported = size + sent
        service.line.report(.progress(received: size, sent: sent), of: order.transfer)
    }

    // MARK: Ends

    func end(_ fault: TransferFault) {
        release()
        var result = TransferResult(fault.kind, error: fault.error, sentence: fault.sentence)
        result.isFileUseless = fault.isFileUseless
        end(result)
    }

    func end(_ result: TransferResult) {
        guard ending == nil else { return }
        ending = result
        endWhenSynced()
    }

    /// A sync that is under way may be the only one that is told of lost bytes.
    private func endWhenSynced() {
        guard var result = ending, !standing.isBusy else { return }
        result.received = size
        result.sent = sent
        result.address = address
        if reader.isComplete { result.status = UInt16(clamping: reader.answer.status) }
        service.ended(self, result)
    }

    // MARK: Syncs

    /// A checkpoint's bytes are on the disk.
    func isDurable(to size: Int64) {
        guard standing.reached(size) else { return }
        service.line.report(.durable(received: size), of: order.transfer)
    }

    /// A sync has failed: what is beyond the last durable byte counts no more, however it looks.
    ///
    /// - Parameter entry: the folder's entry is lost too, and with it the file.
    func lose(_ code: Errno, entry: Bool) {
        release()
        let rest = entry ? 0 : standing.bytes
        let isCut = size <= rest || (try? file.descriptor.setLength(rest)) != nil
        standing.cut(to: rest)
        size = min(size, rest)
        var fault = Self.fault(ofWriting: code)
        if fault.kind != .noSpace { fault.kind = .interrupted }
        fault.isFileUseless = entry || !isCut
        var result = ending ?? fault.result
        switch result.kind {
        case .stopped, .failed, .challenged: result.isFileUseless = result.isFileUseless || fault.isFileUseless
        case .finished, .interrupted, .noSpace: result = fault.result
        }
        ending = result
        endWhenSynced()
    }

    /// The oldest checkpoint that was under way has been answered.
    func checkpointEnded() {
        standing.checkpointEnded()
        endWhenSynced()
    }

    // MARK: curl's callbacks

    private static let bodyCame: curl_write_callback = { bytes, size, count, context in
        guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
        let attempt = unsafe Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
        return unsafe attempt.take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private static let lineCame: curl_write_callback = { bytes, size, count, context in
        guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
        let attempt = unsafe Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
        return unsafe attempt.take(line: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    /// False: the exchange is over, for `fault` or because enough has come.
    private func take(line: UnsafeRawBufferPointer) -> Bool {
        activity = service.now
        do throws(TransferFault) {
            var mayFollow = true
            if case .body = use { mayFollow = false }
            let end = try unsafe reader.take(line, mayFollow: mayFollow)
            guard end != .inside, let easy = unsafe easy else { return true }
            unsafe note(address: easy)
            let length = unsafe taskhost_curl_length(easy)
            unsafe reader.finish(
                length: length < 0 ? nil : length,
                url: taskhost_curl_text(easy, CURLINFO_EFFECTIVE_URL).map { unsafe String(cString: $0) } ?? "",
                address: address)
            if end == .interim || (isBeforeTunnel && (200...299).contains(reader.answer.status)) {
                if end == .interim { conversation.interim(reader.answer) } else { isBeforeTunnel = false }
            } else {
                try answered()
            }
            for report in conversation.takeNews() { service.line.report(report, of: order.transfer) }
            return true
        } catch {
            fault = error
            return false
        }
    }

    private func answered() throws(TransferFault) {
        use = try conversation.answered(reader.answer)
        guard case .body(let offset) = use else { return }
        if let length = reader.answer.length, source == nil, order.method != "HEAD",
            length > max(0, order.sizeLimit - offset)
        {
            throw tooLarge(length)
        }
        if reader.answer.length == nil, reader.answer["Transfer-Encoding"] == nil, let easy = unsafe easy {
            farewell = unsafe Farewell(easy)
        }
        try cut(to: offset)
        wasAnswered = true
        service.line.report(conversation.report(of: reader.answer, at: offset), of: order.transfer)
        // The host knows the needed space now.
        if let length = reader.answer.length, source == nil, order.method != "HEAD", length > order.room {
            throw TransferFault(.noSpace, .cannotWriteToFile, "the file does not fit on the disk")
        }
    }

    /// CURL_WRITEFUNC_PAUSE and CURL_READFUNC_PAUSE: libcurl offers, or asks, again when it is resumed.
    private static let paused = 0x1000_0001

    /// Bytes that were taken; 0: the exchange is over, for `fault` or because enough has come.
    private func take(body: UnsafeRawBufferPointer) -> Int {
        activity = service.now
        guard case .body = use else {
            ignored += body.count
            isCut = ignored > Self.mostIgnored
            return isCut ? 0 : body.count
        }
        if let instant = gate.pass(body.count, at: service.now) {
            hold(until: instant)
            return Self.paused
        }
        do throws(TransferFault) {
            let room = max(0, order.sizeLimit - size - Int64(service.buffer.count(of: self)))
            guard Int64(body.count) <= room || source != nil else { throw tooLarge(nil) }
            written += Int64(body.count)
            guard written <= order.room || source != nil else {
                throw TransferFault(.noSpace, .cannotWriteToFile, "the file does not fit on the disk")
            }
            // Of the answer to an upload the beginning is kept.
            unsafe service.buffer.add(
                UnsafeRawBufferPointer(rebasing: body[..<min(body.count, Int(clamping: room))]), of: self)
            return mayWrite ? body.count : 0
        } catch {
            fault = error
            return 0
        }
    }

    private func tooLarge(_ size: Int64?) -> TransferFault {
        let what = size.map { "the file has \($0) bytes" } ?? "the file is longer than the server said"
        return TransferFault(
            .failed, .tooLarge,
            "\(what), but only \(order.sizeLimit) may be written; raise the application's disk budget")
    }

    // MARK: Content and addresses

    /// Hands bytes of the upload's file to libcurl; nil: the file does not have them any more.
    func give(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        activity = service.now
        guard let source, let content = request?.content else { return 0 }
        let start = content.lowerBound + given
        guard start < content.upperBound else { return 0 }
        let wanted = min(buffer.count, Int(clamping: content.upperBound - start))
        if let instant = gate.pass(wanted, at: service.now) {
            hold(until: instant)
            return Self.paused
        }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        let count = unsafe (try? source.descriptor.read(into: room, at: start)) ?? -1
        guard count > 0 else {
            fault = Upload.changed(count == 0 ? "became shorter while it was sent" : "cannot be read")
            return nil
        }
        given += Int64(count)
        sent = content.lowerBound + given
        service.written(self)
        return count
    }

    func rewind(to offset: Int64) -> Bool {
        guard let content = request?.content, (0...(content.upperBound - content.lowerBound)).contains(offset) else {
            return false
        }
        given = offset
        return true
    }

    func mayConnect(to host: NetworkAddress, _ port: UInt16) -> Bool {
        guard conversation.allows(host, port: port) else {
            refused = host.description
            return false
        }
        wasTried = true
        return true
    }

    private func note(address easy: UnsafeMutableRawPointer) {
        guard let host = unsafe taskhost_curl_text(easy, CURLINFO_PRIMARY_IP).map({ unsafe String(cString: $0) }),
            !host.isEmpty
        else {
            return
        }
        let port = unsafe taskhost_curl_number(easy, CURLINFO_PRIMARY_PORT)
        address = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    // MARK: The file

    /// The file has `offset` bytes from now on.
    private func cut(to offset: Int64) throws(TransferFault) {
        standing.cut(to: offset)
        guard let present = FileSystem.facts(lent: file.number)?.size, Int64(present) != offset else {
            size = offset
            return
        }
        guard Int64(present) > offset, (try? file.descriptor.setLength(offset)) != nil else {
            throw TransferFault(
                .interrupted, .cannotWriteToFile, "the partial file cannot be continued; the download restarts",
                isFileUseless: true)
        }
        size = offset
        checkpoint = Checkpoint(size: offset, at: service.now)
    }

    /// The file has had no fault so far.
    var mayWrite: Bool { fault == nil }

    /// Writes at the end of the file. A fault ends the exchange at libcurl's next call, or at its end.
    func write(_ bytes: UnsafeRawBufferPointer) {
        guard mayWrite else { return }
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
            do throws(SystemError) {
                let count = try unsafe file.descriptor.write(part, at: size)
                size += Int64(count)
                unsafe rest = rest.dropFirst(count)
            } catch {
                return fault = Self.fault(ofWriting: error.code)
            }
        }
        service.written(self)
        if checkpoint.isDue(size: size, at: service.now) {
            checkpoint = Checkpoint(size: size, at: service.now)
            standing.checkpointBegan()
            service.makeCheckpoint(self)
        }
    }

    private static func fault(ofWriting code: Errno) -> TransferFault {
        switch code {
        case .ENOSPC, .EDQUOT:
            return TransferFault(.noSpace, .cannotWriteToFile, "the file cannot be written: \(code)")
        default:
            return TransferFault(
                .failed, .cannotWriteToFile, "the file cannot be written: \(code); see the kernel's log")
        }
    }
}
