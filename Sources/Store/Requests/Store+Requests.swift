package import Record
package import TaskModel

// Requests: part of the turn's transaction like everything else, so durable once `commit` has returned.
extension Store {
    /// Stores the present request: new, instead of the waiting one of the same identity, or waiting again after an
    /// attempt. A run of an *earlier* submission of that identity keeps its row. Allocates nothing when title, subtitle
    /// and payload are empty.
    ///
    /// - Throws: `broken` for a payload above `TaskRequest.maximumPayload`, or an identity without a row.
    package func putRequest(_ request: borrowing TaskRequest) throws(StoreError) {
        guard request.identity > 0, request.payload.count <= TaskRequest.maximumPayload else {
            throw contradiction("record a request", because: "its payload is too large, or its task is unknown")
        }
        try beginWriting()
        if request.isPlain {
            Self.bindTerms(of: request, to: requests.putPlain)
            try write(requests.putPlain)
            _ = try forgetRunning(request.identity, request.submitted)
            return
        }
        Self.bindTerms(of: request, to: requests.put)
        requests.put.bind(
            from: 11,
            values: request.notBefore, request.scheduledFor,
            try request.running.flatMap { id throws(StoreError) in try place(of: id) },
            request.title.cut(toBytes: TaskRequest.maximumText).unlessEmpty,
            request.subtitle.cut(toBytes: TaskRequest.maximumText).unlessEmpty)
        requests.put.bind(from: 17, values: request.failures, request.leftOut, request.deferrals)
        Self.bind(request.settings, to: requests.put, at: 20)
        if request.payload.isEmpty {
            requests.put.bindNull(16)
            try write(requests.put)
        } else {
            try unsafe request.payload.span.bytes.withUnsafeBytes { bytes throws(StoreError) in
                unsafe requests.put.bind(16, lending: bytes)
                try write(requests.put)
            }
        }
        if request.running != nil {
            runningRequests.insert(request.identity)
            _ = try forget(id: request.identity, submitted: request.submitted)
        } else {
            _ = try forgetRunning(request.identity, request.submitted)
        }
    }

    private static func bindTerms(of request: borrowing TaskRequest, to statement: borrowing Statement) {
        let terms = request.terms
        statement.bind(
            values: request.running == nil ? request.identity : -request.identity, request.submitted,
            request.kind.rawValue, terms.origin.rawValue, request.attempt, terms.earliestBeginDate,
            terms.requiresExternalPower, terms.requiresNetwork, terms.strategy.rawValue, terms.requiredResources)
    }

    /// The waiting request has become a run. Its row stays until it is deleted or put again; a submission that was never
    /// put, because its run began and ended in one turn, has none and needs none. It takes the row of an earlier submission that
    /// runs. Allocates nothing.
    package func markRequestRunning(identity: Int64, submitted: Timestamp, run: ULID) throws(StoreError) {
        let sequence = try place(of: run)
        try beginWriting()
        requests.start.bind(1, identity)
        requests.start.bind(2, submitted.nanoseconds)
        requests.start.bind(3, sequence)
        try write(requests.start)
        if requests.start.changes == 1 { runningRequests.insert(identity) }
    }

    /// Forgets that submission, waiting or running; any other of the identity stays. Allocates nothing.
    package func forgetRequest(identity: Int64, submitted: Timestamp) throws(StoreError) {
        try beginWriting()
        if try !forgetRunning(identity, submitted) { _ = try forget(id: identity, submitted: submitted) }
    }

    /// Forgets the running row of that submission; false when there is none.
    private func forgetRunning(_ identity: Int64, _ submitted: Timestamp) throws(StoreError) -> Bool {
        guard runningRequests.contains(identity), try forget(id: -identity, submitted: submitted) else { return false }
        runningRequests.remove(identity)
        return true
    }

    private func forget(id: Int64, submitted: Timestamp) throws(StoreError) -> Bool {
        requests.forget.bind(1, id)
        requests.forget.bind(2, submitted.nanoseconds)
        try write(requests.forget)
        return requests.forget.changes == 1
    }
}
