package import TaskModel

/// Why a foreign function cannot be called.
package enum ForeignCallError: Error, Equatable, Sendable {
    /// The number of arguments differs from that of parameters.
    case argumentCount(found: Int, expected: Int)
    /// The argument at `index` (from 0) is not of its parameter's type, or out of its range.
    case argument(index: Int, type: ValueType)
    /// The signature of the callback at `index` cannot serve: void as a parameter, or `complete` without an integer.
    case callback(index: Int)
    /// The success rule compares the result with a literal of another type.
    case successRule(result: ValueType)
    /// This run's payload is longer than its length parameter can hold.
    case payloadLength(Int, type: ValueType)
    /// libffi refuses the signature.
    case signature
    /// The machine gives no memory for a function pointer: executable mappings are refused or memory is short.
    case closure

    /// A sentence for display.
    package var sentence: String {
        switch self {
        case .argumentCount(let found, let expected): "the signature has \(expected) parameters, but \(found) arguments"
        case .argument(let index, let type): "argument \(index + 1) does not fit its parameter of type \(type.name)"
        case .callback(let index):
            "the signature of the callback in argument \(index + 1) cannot serve; `complete` needs an integer parameter"
        case .successRule(let result): "the success rule cannot be applied to a result of type \(result.name)"
        case .payloadLength(let length, let type): "the payload's length of \(length) bytes does not fit a \(type.name)"
        case .signature: "libffi refuses the signature"
        case .closure: "the system refused executable memory for a callback"
        }
    }
}
