package import Record
package import TaskModel

extension Store {
    /// Records what a run's handler got. A deleted run is unchanged.
    package func putInputs(of id: ULID, _ inputs: RunInputs) throws(StoreError) {
        guard !inputs.isEmpty, let sequence = try place(of: id) else { return }
        try beginWriting()
        statements.addInputs.bind(1, sequence)
        Self.bind(inputs.payload, to: statements.addInputs, at: 2)
        Self.bind(inputs.settings, to: statements.addInputs, at: 3)
        try write(statements.addInputs)
    }

    /// NULL for no bytes.
    static func bind(_ bytes: [UInt8], to statement: borrowing Statement, at index: Int32) {
        guard !bytes.isEmpty else { return statement.bindNull(index) }
        unsafe bytes.withUnsafeBytes { unsafe statement.bind(index, copying: $0) }
    }
}

extension History {
    /// What the run's handler got; nothing for an unknown run, and for one of which nothing is known (`RunRecord.kind`).
    package func inputs(of id: ULID) throws(StoreError) -> RunInputs {
        try database.withSnapshot { () throws(StoreError) in
            guard let sequence = try sequence(of: id) else { return RunInputs() }
            let row = try Statement(
                database, "SELECT payload, settings FROM inputs WHERE seq = ?1", what: "read a run's payload")
            row.bind(1, sequence)
            guard try row.next() else { return RunInputs() }
            return unsafe RunInputs(
                payload: row.withBytes(0) { unsafe Array($0) }, settings: row.withBytes(1) { unsafe Array($0) })
        }
    }
}
