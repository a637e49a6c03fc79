import CSystemd

/// Arguments of a call to systemd, appended one after another. What cannot be appended makes the call fail, not this.
// The message lives as long as the call that is made of it.
@safe package struct SystemdArguments {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) { unsafe self.message = message }

    package mutating func string(_ text: String) {
        _ = unsafe sd_bus_message_append_basic(message, BusMessage.code("s"), text)
    }

    package mutating func number(_ value: Int32) {
        var value = value
        _ = unsafe sd_bus_message_append_basic(message, BusMessage.code("i"), &value)
    }

    /// A list of a unit's properties: `a(sv)`.
    package mutating func properties(_ list: [(name: String, value: SystemdValue)]) {
        container("a", "(sv)") { arguments in
            for property in list {
                arguments.container("r", "sv") { arguments in
                    arguments.string(property.name)
                    arguments.variant(property.value)
                }
            }
        }
    }

    /// No further units: `a(sa(sv))`.
    package mutating func noUnits() { container("a", "(sa(sv))") { _ in } }

    private mutating func variant(_ value: SystemdValue) {
        switch value {
        case .text(let text): container("v", "s") { $0.string(text) }
        case .flag(let flag):
            container("v", "b") { arguments in
                var flag = flag ? 1 : 0 as Int32
                _ = unsafe sd_bus_message_append_basic(arguments.message, BusMessage.code("b"), &flag)
            }
        case .numbers(let numbers):
            container("v", "au") { arguments in
                arguments.container("a", "u") { arguments in
                    for var number in numbers {
                        _ = unsafe sd_bus_message_append_basic(arguments.message, BusMessage.code("u"), &number)
                    }
                }
            }
        }
    }

    private mutating func container(
        _ type: Unicode.Scalar, _ contents: String, _ body: (inout SystemdArguments) -> Void
    ) {
        guard unsafe sd_bus_message_open_container(message, BusMessage.code(type), contents) >= 0 else { return }
        body(&self)
        _ = unsafe sd_bus_message_close_container(message)
    }
}

/// The value of a unit's property.
package enum SystemdValue {
    case text(String)
    case flag(Bool)
    case numbers([UInt32])
}
