import TaskModel

extension ValueType {
    /// Whether a function may return it.
    var canBeResult: Bool { self != .string && self != .bytes && self != .callback }

    /// What an integer type can hold; nil for the other types.
    var integerRange: (least: Int64, greatest: UInt64)? {
        switch self {
        case .i8: (Int64(Int8.min), UInt64(Int8.max))
        case .u8: (0, UInt64(UInt8.max))
        case .i16: (Int64(Int16.min), UInt64(Int16.max))
        case .u16: (0, UInt64(UInt16.max))
        case .i32: (Int64(Int32.min), UInt64(Int32.max))
        case .u32: (0, UInt64(UInt32.max))
        case .i64: (Int64.min, UInt64(Int64.max))
        case .u64: (0, UInt64.max)
        case .void, .bool, .f32, .f64, .pointer, .string, .bytes, .callback: nil
        }
    }

    /// Whether this is an integer type that can hold the value.
    func holds(_ value: Int64) -> Bool {
        guard let range = integerRange else { return false }
        return value < 0 ? value >= range.least : UInt64(value) <= range.greatest
    }

    /// Whether this is an integer type that can hold the value.
    func holds(_ value: UInt64) -> Bool {
        guard let range = integerRange else { return false }
        return value <= range.greatest
    }
}
