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

    func readString() -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_read_basic(raw, Self.code("s"), &text) > 0, let text = unsafe text else {
            return nil
        }
        return unsafe String(cString: text)
    }

    func readBool() -> Bool? {
        var value: Int32 = 0
        return unsafe sd_bus_message_read_basic(raw, Self.code("b"), &value) > 0 ? value != 0 : nil
    }

    /// An object's path.
    func readPath() -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_read_basic(raw, Self.code("o"), &text) > 0, let text = unsafe text else {
            return nil
        }
        return unsafe String(cString: text)
    }

    func readNumber() -> UInt32? {
        var value: UInt32 = 0
        return unsafe sd_bus_message_read_basic(raw, Self.code("u"), &value) > 0 ? value : nil
    }

    /// A copy of a descriptor.
    func readDescriptor() -> Descriptor? {
        var value: Int32 = -1
        guard unsafe sd_bus_message_read_basic(raw, Self.code("h"), &value) > 0 else { return nil }
        return try? Descriptor.copy(of: value)
    }

    /// The variant that `Properties.Get` answers with.
    func readVariant(_ type: BusValue.Kind) -> BusValue? {
        guard unsafe sd_bus_message_enter_container(raw, Self.code("v"), type.rawValue) > 0 else { return nil }
        switch type {
        case .bool: return readBool().map { .bool($0) }
        case .string: return readString().map { .string($0) }
        case .number: return readNumber().map { .number($0) }
        case .count:
            var value: UInt64 = 0
            return unsafe sd_bus_message_read_basic(raw, Self.code("t"), &value) > 0 ? .count(value) : nil
        case .double:
            var value = 0.0
            return unsafe sd_bus_message_read_basic(raw, Self.code("d"), &value) > 0 ? .double(value) : nil
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
