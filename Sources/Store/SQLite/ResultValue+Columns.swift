import TaskModel

/// A result takes two columns: its kind, and an integer or real number.
extension Statement {
    func bind(kindAt kind: Int32, valueAt value: Int32, _ result: ResultValue?) {
        switch result {
        case nil:
            bindNull(kind)
            bindNull(value)
        case .integer(let number): bind(kind, value, 1, number)
        case .unsigned(let number): bind(kind, value, 2, Int64(bitPattern: number))
        case .real(let number):
            bind(kind, 3 as Int64)
            bind(value, number)
        case .boolean(let truth): bind(kind, value, 4, truth ? 1 : 0)
        case .pointer(let isNull): bind(kind, value, 5, isNull ? 1 : 0)
        case .fetch(let fetched): bind(kind, value, 6, Int64(fetched.rawValue))
        }
    }

    private func bind(_ kind: Int32, _ value: Int32, _ code: Int64, _ number: Int64) {
        bind(kind, code)
        bind(value, number)
    }

    /// nil for NULL.
    ///
    /// - Throws: `Unreadable` for a kind that this schema does not have.
    func result(kindAt kind: Int32, valueAt value: Int32) throws(Unreadable) -> ResultValue? {
        switch optionalInteger(kind) {
        case nil: return nil
        case 1: return .integer(integer(value))
        case 2: return .unsigned(UInt64(bitPattern: integer(value)))
        // SQLite keeps no NaN: it stores NULL.
        case 3: return .real(isNull(value) ? .nan : real(value))
        case 4: return .boolean(integer(value) != 0)
        case 5: return .pointer(isNull: integer(value) != 0)
        case 6:
            guard let fetched = UInt8(exactly: integer(value)).flatMap(FetchResult.init(rawValue:)) else {
                throw Unreadable()
            }
            return .fetch(fetched)
        default: throw Unreadable()
        }
    }
}

/// A column has a value that no version with this schema writes.
struct Unreadable: Error {}
