import TaskModel

extension Statement {
    /// An empty text binds NULL.
    func bind(_ index: Int32, unlessEmpty text: String) {
        if text.isEmpty { bindNull(index) } else { bind(index, text) }
    }

    /// Copies the bytes; none bind NULL.
    func bind(_ index: Int32, unlessEmpty bytes: [UInt8]) {
        if bytes.isEmpty { return bindNull(index) }
        unsafe bytes.withUnsafeBytes { unsafe bind(index, copying: $0) }
    }

    func bind(_ index: Int32, _ isTrue: Bool) { bind(index, isTrue ? 1 : 0 as Int64) }

    /// Parameters 9 to 24 of `TransferStatements.put` and `.request`.
    func bind(_ request: borrowing TransferRequest) {
        bind(9, Int64(request.kind.rawValue))
        let place = ShownURL.text(of: request.url)
        bind(10, place)
        bind(11, request.method)
        bind(12, unlessEmpty: request.file)
        bind(13, request.earliest?.nanoseconds)
        bind(14, request.timeout?.nanoseconds)
        bind(15, request.priority.isFinite ? Double(request.priority) : 0.5)
        bind(16, request.allowsExpensive)
        bind(17, request.allowsConstrained)
        bind(18, request.expectedSend)
        bind(19, request.expectedReceive)
        bind(20, unlessEmpty: request.sha256 ?? [])
        bind(21, place == request.url ? nil : request.url)
        bind(22, unlessEmpty: HeaderPacking.pack(request.headers))
        bind(23, unlessEmpty: request.text)
        bind(24, unlessEmpty: request.resumeData)
    }
}
