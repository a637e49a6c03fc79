import TaskModel

/// What a parameter of a statement can be bound to.
protocol StatementValue {
    func bind(to statement: borrowing Statement, at index: Int32)
}

extension Statement {
    /// Binds parameter `first` and those that follow it, in their order.
    func bind<each Value: StatementValue>(from first: Int32 = 1, values: repeat each Value) {
        var index = first
        for value in repeat each values {
            value.bind(to: self, at: index)
            index += 1
        }
    }
}

extension StatementValue where Self: BinaryInteger {
    func bind(to statement: borrowing Statement, at index: Int32) { statement.bind(index, Int64(self)) }
}

extension Int64: StatementValue {}
extension Int32: StatementValue {}
extension UInt32: StatementValue {}
extension UInt16: StatementValue {}
extension UInt8: StatementValue {}

extension Bool: StatementValue {
    func bind(to statement: borrowing Statement, at index: Int32) { statement.bind(index, self ? 1 : 0 as Int64) }
}

extension Double: StatementValue {
    func bind(to statement: borrowing Statement, at index: Int32) { statement.bind(index, self) }
}

extension String: StatementValue {
    func bind(to statement: borrowing Statement, at index: Int32) { statement.bind(index, self) }
}

/// Bytes are copied.
extension [UInt8]: StatementValue {
    func bind(to statement: borrowing Statement, at index: Int32) {
        unsafe withUnsafeBytes { unsafe statement.bind(index, copying: $0) }
    }
}

extension Timestamp: StatementValue {
    func bind(to statement: borrowing Statement, at index: Int32) { statement.bind(index, nanoseconds) }
}

extension TimeSpan: StatementValue {
    func bind(to statement: borrowing Statement, at index: Int32) { statement.bind(index, nanoseconds) }
}

/// nil is NULL.
extension Optional: StatementValue where Wrapped: StatementValue {
    func bind(to statement: borrowing Statement, at index: Int32) {
        if let self { self.bind(to: statement, at: index) } else { statement.bindNull(index) }
    }
}

extension Collection {
    /// nil, for NULL, when it is empty.
    var unlessEmpty: Self? { isEmpty ? nil : self }
}
