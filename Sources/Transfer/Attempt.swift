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
    /// What an upload sends.
    let source: OpenFile?
    private let conversation: Guide
    private unowned let service: TransferService
    /// The last one that began; nil: there was none.
    private var exchange: CurlExchange?
    /// libcurl's description of a failure.
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private(set) var part: PartFile
    private var fault: TransferFault?
    /// Bytes that came for the file.
    private var written: Int64 = 0
    private(set) var sent: Int64 = 0
    private var address = ""
    /// When a byte came or went.
    private(set) var activity: Instant
    private(set) var isObserved: Bool
    private var reported: Int64 = 0
    /// Interim answers that were reported.
    private var informed = 0
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
        self.source = source
        self.service = service
        part = PartFile(file, in: folder, size: order.offset, durable: order.durable, at: service.now)
        activity = service.now
        isObserved = order.isObserved
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
        unsafe exchange = CurlExchange(request, easy, isBeforeTunnel: request.url.isSecure && !order.proxy.isEmpty)
        unsafe words[0] = 0
        activity = service.now
        unsafe taskhost_curl_set_sinks(easy, Self.bodyCame, Self.lineCame, Unmanaged.passUnretained(self).toOpaque())
        unsafe exchange?.fields = try unsafe configure(easy, request)
        guard unsafe service.curl.start(easy) else {
            throw TransferFault(.interrupted, .unknown, "the transfer process has no memory")
        }
    }

    /// The exchange has ended, in any way.
    func exchangeEnded(_ code: CURLcode) {
        guard let exchange, let easy = unsafe exchange.easy else { return }
        activity = service.now
        let failure =
            unsafe code == CURLE_OK || exchange.isCut ? nil : CurlFailure(code, easy, circumstances(of: exchange))
        unsafe note(address: easy)
        if failure == nil, !exchange.isCut, let farewell = exchange.farewell, !farewell.hasCome {
            fault = fault ?? cutShort
        }
        release(isFailed: failure != nil)
        if let fault { return end(fault) }
        // The way was closed by the proxy itself, which libcurl takes for a failure.
        let isProxyQuestion = exchange.isBeforeTunnel && exchange.reader.isComplete && conversation.hasQuestion
        if !exchange.refused.isEmpty, !exchange.wasTried, failure != nil { return end(refusal(of: exchange.refused)) }
        if let failure, !isProxyQuestion { return end(failure.fault) }
        guard exchange.reader.isComplete else { return end(noAnswer(to: exchange)) }
        switch conversation.ended(exchange.reader.answer, size: part.size) {
        case .request(let request):
            do throws(TransferFault) { try ask(request) } catch { end(error) }
        case .whole:
            isWhole = true
            service.line.report(.whole(received: part.size), of: order.transfer)
            service.makeDurable(self)
        case .end(let result): end(result)
        }
    }

    private func circumstances(of exchange: CurlExchange) -> CurlFailure.Circumstances {
        let words = unsafe String(cString: words)
        return CurlFailure.Circumstances(
            isCut: exchange.reader.isComplete, host: exchange.request.url.host, words: words,
            isSecret: OrderSecrets(order, exchange.request).areIn(words), hasCertificate: !order.certificate.isEmpty)
    }

    /// The exchange is over for libcurl, without a final answer.
    private func noAnswer(to exchange: CurlExchange) -> TransferFault {
        let what =
            exchange.reader.answer.status == 101
            ? "the server changes to another protocol, which nobody asked for" : "the server's answer has no end"
        return TransferFault(
            .failed, .badServerResponse,
            "\(what); \(exchange.request.url.host); see whether the server speaks HTTP there"
        )
    }

    /// The body may have been longer (RFC 9112 9.8).
    private var cutShort: TransferFault {
        TransferFault(
            .interrupted, .connectionLost,
            "the connection ended within the answer, whose length is unknown; \(exchange?.request.url.host ?? ""); it is tried again"
        )
    }

    /// None of the host's addresses may be connected to.
    private func refusal(of refused: String) -> TransferFault {
        TransferFault(
            .failed, .notPermitted,
            "\(exchange?.request.url.host ?? "the host") resolves to \(refused), which the application's permissions.network do not "
                + "grant; grant the address itself to reach it")
    }

    /// Gives the handle of the exchange back. Not from within curl's callbacks.
    ///
    /// - Parameter isFailed: the handle remembers the system's error, which would be reported for its next exchange.
    private func release(isFailed: Bool = false) {
        service.buffer.drop(self)
        resumption = nil
        guard let exchange else { return }
        if let easy = unsafe exchange.easy {
            unsafe service.curl.remove(easy)
            unsafe service.curl.release(easy, isFailed: isFailed)
        }
        unsafe curl_slist_free_all(exchange.fields)
        self.exchange?.farewell = nil
        unsafe self.exchange?.easy = nil
        unsafe self.exchange?.fields = nil
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
        if let easy = unsafe exchange?.easy { unsafe curl_easy_pause(easy, 0) }
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
        guard isObserved, part.size + sent != reported else { return }
        reported = part.size + sent
        service.line.report(.progress(received: part.size, sent: sent), of: order.transfer)
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
        guard var result = ending, !part.isSyncing else { return }
        result.received = part.size
        result.sent = sent
        result.address = address
        if let reader = exchange?.reader, reader.isComplete { result.status = UInt16(clamping: reader.answer.status) }
        service.ended(self, result)
    }

    // MARK: Syncs

    /// A checkpoint's bytes are on the disk.
    func isDurable(to size: Int64) {
        guard part.isDurable(to: size) else { return }
        service.line.report(.durable(received: size), of: order.transfer)
    }

    /// A sync has failed: what is beyond the last durable byte counts no more, however it looks.
    ///
    /// - Parameter entry: the folder's entry is lost too, and with it the file.
    func lose(_ code: Errno, entry: Bool) {
        release()
        let fault = part.lose(code, entry: entry)
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
        part.checkpointEnded()
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
            if case .body = exchange?.use { mayFollow = false }
            guard let end = try unsafe exchange?.reader.take(line, mayFollow: mayFollow), end != .inside,
                let easy = unsafe exchange?.easy
            else { return true }
            unsafe note(address: easy)
            let length = unsafe taskhost_curl_length(easy)
            unsafe exchange?.reader.finish(
                length: length < 0 ? nil : length,
                url: taskhost_curl_text(easy, CURLINFO_EFFECTIVE_URL).map { unsafe String(cString: $0) } ?? "",
                address: address)
            guard let exchange else { return true }
            let answer = exchange.reader.answer
            if end == .interim {
                conversation.interim(answer)
                inform(of: answer)
            } else if exchange.isBeforeTunnel, (200...299).contains(answer.status) {
                self.exchange?.isBeforeTunnel = false
            } else {
                try answered(answer)
            }
            for report in conversation.takeNews() { service.line.report(report, of: order.transfer) }
            return true
        } catch {
            fault = error
            return false
        }
    }

    /// Reports an interim answer that says something: 100 and 101 are HTTP's own.
    private func inform(of answer: Answer) {
        guard answer.status > 101, informed < TransferLimit.interimAnswers else { return }
        informed += 1
        service.line.report(.informed(answer.kept), of: order.transfer)
    }

    private func answered(_ answer: Answer) throws(TransferFault) {
        let use = try conversation.answered(answer)
        exchange?.use = use
        guard case .body(let offset) = use else { return }
        if let length = answer.length, source == nil, order.method != "HEAD",
            length > max(0, order.sizeLimit - offset)
        {
            throw tooLarge(length)
        }
        if answer.length == nil, answer["Transfer-Encoding"] == nil, let easy = unsafe exchange?.easy {
            exchange?.farewell = unsafe Farewell(easy)
        }
        try part.cut(to: offset, at: service.now)
        service.line.report(conversation.report(of: answer, at: offset), of: order.transfer)
        // The host knows the needed space now.
        if let length = answer.length, source == nil, order.method != "HEAD", length > order.room {
            throw TransferFault(.noSpace, .cannotWriteToFile, "the file does not fit on the disk")
        }
    }

    /// CURL_WRITEFUNC_PAUSE and CURL_READFUNC_PAUSE: libcurl offers, or asks, again when it is resumed.
    private static let paused = 0x1000_0001

    /// Bytes that were taken; 0: the exchange is over, for `fault` or because enough has come.
    private func take(body: UnsafeRawBufferPointer) -> Int {
        activity = service.now
        guard case .body = exchange?.use else { return ignore(body.count) }
        if let instant = gate.pass(body.count, at: service.now) {
            hold(until: instant)
            return Self.paused
        }
        do throws(TransferFault) {
            let room = max(0, order.sizeLimit - part.size - Int64(service.buffer.count(of: self)))
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

    private func ignore(_ count: Int) -> Int {
        guard let ignored = exchange?.ignored, ignored + count <= Self.mostIgnored else {
            exchange?.isCut = true
            return 0
        }
        exchange?.ignored = ignored + count
        return count
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
        guard let source, let exchange, let content = exchange.request.content else { return 0 }
        let start = content.lowerBound + exchange.given
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
        self.exchange?.given = exchange.given + Int64(count)
        sent = start + Int64(count)
        service.written(self)
        return count
    }

    func rewind(to offset: Int64) -> Bool {
        guard let content = exchange?.request.content, (0...(content.upperBound - content.lowerBound)).contains(offset)
        else {
            return false
        }
        exchange?.given = offset
        return true
    }

    func mayConnect(to host: NetworkAddress, _ port: UInt16) -> Bool {
        guard conversation.allows(host, port: port) else {
            exchange?.refused = host.description
            return false
        }
        exchange?.wasTried = true
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

    /// The file has had no fault so far.
    var mayWrite: Bool { fault == nil }

    /// Writes at the end of the file. A fault ends the exchange at libcurl's next call, or at its end.
    func write(_ bytes: UnsafeRawBufferPointer) {
        guard mayWrite else { return }
        do throws(TransferFault) { try unsafe part.append(bytes) } catch { return fault = error }
        service.written(self)
        if part.beginCheckpoint(at: service.now) { service.makeCheckpoint(self) }
    }
}
