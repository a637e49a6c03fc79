import CSystemd
import Linux

/// A message that sd-bus lends for the time of a callback; reading moves on in it. Wrong types read as nil.
// sd-bus lends the message for the callback that this value is made in.
@safe struct BusMessage {
    let raw: OpaquePointer

    /// The name of the error that it is; nil: it is none.
    var errorName: String? {
        guard unsafe sd_bus_message_is_method_error(raw, nil) > 0, let error = unsafe sd_bus_message_get_error(raw)
        else {
            return nil
        }
        return unsafe error.pointee.name.map { unsafe String(cString: $0) }
    }

    /// The sender's unique name, which the bus guarantees.
    var sender: String? { unsafe sd_bus_message_get_sender(raw).map { unsafe String(cString: $0) } }

    func readString() -> String? { readText("s") }
    /// An object's path.
    func readPath() -> String? { readText("o") }
    func readBool() -> Bool? { read("b", 0 as Int32).map { $0 != 0 } }
    func readNumber() -> UInt32? { read("u", 0) }
    /// A copy of a descriptor.
    func readDescriptor() -> Descriptor? { read("h", -1 as Int32).flatMap { try? Descriptor.copy(of: $0) } }

    private func readText(_ type: Unicode.Scalar) -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_read_basic(raw, Self.code(type), &text) > 0, let text = unsafe text else {
            return nil
        }
        return unsafe String(cString: text)
    }

    private func read<Number: BitwiseCopyable>(_ type: Unicode.Scalar, _ initial: Number) -> Number? {
        var value = initial
        return unsafe sd_bus_message_read_basic(raw, Self.code(type), &value) > 0 ? value : nil
    }

    /// The variant that `Properties.Get` answers with.
    func readVariant(_ type: BusValue.Kind) -> BusValue? {
        guard unsafe sd_bus_message_enter_container(raw, Self.code("v"), type.rawValue) > 0 else { return nil }
        switch type {
        case .bool: return readBool().map { .bool($0) }
        case .string: return readString().map { .string($0) }
        case .number: return readNumber().map { .number($0) }
        case .count: return read("t", 0).map { .count($0) }
        case .double: return read("d", 0).map { .double($0) }
        }
    }

    static func code(_ letter: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: letter)) }
}

/// A value of a property.
package enum BusValue: Hashable, Sendable {
    case bool(Bool)
    case number(UInt32)
    case count(UInt64)
    case double(Double)
    case string(String)

    /// D-Bus's letter for the type.
    package enum Kind: String, Sendable {
        case bool = "b"
        case number = "u"
        case count = "t"
        case double = "d"
        case string = "s"
    }
}
