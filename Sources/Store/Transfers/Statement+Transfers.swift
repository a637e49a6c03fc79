import TaskModel

extension Statement {
    /// Parameters 9 to 24 of `TransferStatements.put` and `.request`.
    func bind(_ request: borrowing TransferRequest) {
        let place = ShownURL.text(of: request.url)
        bind(
            from: 9,
            values: request.kind.rawValue, place, request.method, request.file.unlessEmpty, request.earliest,
            request.timeout, request.priority.isFinite ? Double(request.priority) : 0.5, request.allowsExpensive,
            request.allowsConstrained, request.expectedSend, request.expectedReceive, request.sha256?.unlessEmpty,
            place == request.url ? nil : request.url, HeaderPacking.pack(request.headers).unlessEmpty,
            request.text.unlessEmpty, request.resumeData.unlessEmpty)
    }
}
