import TaskModel

/// The arguments of a foreign function, laid out once: constants as C has them in memory, and where the rest comes from.
///
/// *Thread*: never written after `init` (hence `@unchecked`).
// Its memory is its own from init to deinit, and not written after init.
@safe final class ArgumentLayout: @unchecked Sendable {
    /// Values that are filled in for every call.
    struct Patch: Sendable {
        enum Source: Sendable {
            case payload
            case payloadLength
            /// The number of the callback, counted from 0.
            case callback(Int)
        }
        var index: Int
        var type: ValueType
        var source: Source
    }

    let count: Int
    private(set) var patches: [Patch] = []
    /// `count` slots of 8 bytes; those of patches are zero.
    let constants: UnsafeMutablePointer<UInt64>
    /// Used for an empty payload, which may have no address.
    let emptyText: UnsafeMutablePointer<UInt8>
    private var texts: [UnsafeMutablePointer<UInt8>] = unsafe []

    init(
        _ arguments: [Argument], types: [ValueType], variables: [(name: String, value: String)]
    ) throws(ForeignCallError) {
        count = types.count
        unsafe constants = .allocate(capacity: max(count, 1))
        unsafe constants.initialize(repeating: 0, count: max(count, 1))
        unsafe emptyText = .allocate(capacity: 1)
        unsafe emptyText.initialize(to: 0)
        guard arguments.count == count else { throw .argumentCount(found: arguments.count, expected: count) }
        var callbacks = 0
        for (index, (argument, type)) in zip(arguments, types).enumerated() {
            switch argument {
            case .payloadBytes where type == .bytes || type == .pointer,
                .payloadString where type == .string || type == .pointer:
                patches.append(Patch(index: index, type: type, source: .payload))
            case .payloadLength where type.isInteger:
                patches.append(Patch(index: index, type: type, source: .payloadLength))
            case .callback where type == .callback || type == .pointer:
                patches.append(Patch(index: index, type: type, source: .callback(callbacks)))
                callbacks += 1
            case .string(let text) where type == .string || type == .bytes || type == .pointer:
                let replaced = Self.replacing(variables, in: text)
                // C would see the text only up to a NUL in its middle.
                guard type == .bytes || !replaced.utf8.contains(0) else { throw .argument(index: index, type: type) }
                unsafe type.store(UInt64(UInt(bitPattern: keep(replaced))), in: constants + index)
            case .integer, .unsigned, .real, .boolean, .null, .string, .payloadBytes, .payloadString,
                .payloadLength, .callback:
                guard let bits = type.bits(ofLiteral: argument) else { throw .argument(index: index, type: type) }
                unsafe type.store(bits, in: constants + index)
            }
        }
    }

    deinit {
        unsafe texts.forEach { unsafe $0.deallocate() }
        unsafe emptyText.deallocate()
        unsafe constants.deallocate()
    }

    private func keep(_ text: String) -> UnsafeMutablePointer<UInt8> {
        let bytes = Array(text.utf8)
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
        unsafe copy.initialize(from: bytes, count: bytes.count)
        unsafe (copy + bytes.count).initialize(to: 0)
        unsafe texts.append(copy)
        return unsafe copy
    }

    /// Replaces `$NAME` at the beginning, when the text ends there or a `/` follows.
    private static func replacing(_ variables: [(name: String, value: String)], in text: String) -> String {
        for (name, value) in variables where text.hasPrefix(name) {
            let rest = text.dropFirst(name.count)
            if rest.isEmpty || rest.hasPrefix("/") { return value + rest }
        }
        return text
    }
}

extension ValueType {
    /// Whether an integer of this type can hold the payload's length.
    func holds(count: Int) -> Bool { integerBits(Int64(count)) != nil }

    /// The bits of a literal of this type; nil when the literal does not fit.
    fileprivate func bits(ofLiteral literal: Argument) -> UInt64? {
        switch (self, literal) {
        case (.bool, .boolean(let value)): value ? 1 : 0
        case (.bool, .integer(let value)): value == 0 || value == 1 ? UInt64(value) : nil
        case (.f32, .real(let value)): UInt64(Float(value).bitPattern)
        case (.f64, .real(let value)): value.bitPattern
        case (.f32, .integer(let value)): UInt64(Float(value).bitPattern)
        case (.f64, .integer(let value)): Double(value).bitPattern
        case (.f32, .unsigned(let value)): UInt64(Float(value).bitPattern)
        case (.f64, .unsigned(let value)): Double(value).bitPattern
        // An address for a library that gives some numbers a meaning, as SQLite does to 0 and -1.
        case (.pointer, .integer(let value)): UInt64(bitPattern: value)
        case (.pointer, .unsigned(let value)): value
        case (_, .null): isPointer ? 0 : nil
        case (_, .integer(let value)): integerBits(value)
        case (_, .unsigned(let value)): self == .u64 ? value : nil
        default: nil
        }
    }

    private func integerBits(_ value: Int64) -> UInt64? {
        let fits =
            switch self {
            case .i8: Int8(exactly: value) != nil
            case .u8: UInt8(exactly: value) != nil
            case .i16: Int16(exactly: value) != nil
            case .u16: UInt16(exactly: value) != nil
            case .i32: Int32(exactly: value) != nil
            case .u32: UInt32(exactly: value) != nil
            case .i64: true
            case .u64: value >= 0
            case .void, .bool, .f32, .f64, .pointer, .string, .bytes, .callback: false
            }
        return fits ? UInt64(bitPattern: value) : nil
    }
}
