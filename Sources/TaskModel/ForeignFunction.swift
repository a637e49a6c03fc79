/// An exported C function that serves as handler, with everything libffi needs to call it.
package struct ForeignFunction: Sendable, Equatable {
    /// A path or a bare soname (the loader's search); nil: the application's library.
    package var library: String?
    package var symbol: String
    package var signature: Signature
    /// One for each parameter of the signature.
    package var arguments: [Argument]
    package var success: SuccessRule

    package init(
        library: String?, symbol: String, signature: Signature, arguments: [Argument], success: SuccessRule
    ) {
        self.library = library
        self.symbol = symbol
        self.signature = signature
        self.arguments = arguments
        self.success = success
    }
}

/// A C type of a signature. The numbers travel on the wire.
package enum ValueType: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case void = 0
    case bool = 1
    case i8 = 2
    case u8 = 3
    case i16 = 4
    case u16 = 5
    case i32 = 6
    case u32 = 7
    case i64 = 8
    case u64 = 9
    case f32 = 10
    case f64 = 11
    case pointer = 12
    /// `const char *`, NUL-terminated.
    case string = 13
    /// `const void *` to bytes whose length is passed separately.
    case bytes = 14
    /// A function pointer.
    case callback = 15

    package var isInteger: Bool { self.rawValue >= ValueType.i8.rawValue && self.rawValue <= ValueType.u64.rawValue }
    package var isReal: Bool { self == .f32 || self == .f64 }
    package var isPointer: Bool { self.rawValue >= ValueType.pointer.rawValue }
}

/// `result(parameter, …)`, such as `u64(u64, bytes, u32)`.
package struct Signature: Sendable, Equatable {
    package var result: ValueType
    package var parameters: [ValueType]

    /// More parameters than this are refused; no C library of use has them.
    package static let maximumParameters = 16

    package init(result: ValueType, parameters: [ValueType]) {
        self.result = result
        self.parameters = parameters
    }
}

/// One argument of a foreign function.
package enum Argument: Sendable, Equatable {
    case integer(Int64)
    /// A literal beyond `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case boolean(Bool)
    /// A null pointer.
    case null
    /// `$MANIFEST`, `$STATE` and `$CACHE` at its beginning are replaced.
    case string(String)
    case payloadBytes
    case payloadString
    case payloadLength
    case callback(Callback, Signature)
}

/// A function that the worker makes for one run and hands to the foreign function. The numbers travel on the wire.
package enum Callback: UInt8, NamedCases, Sendable, BitwiseCopyable {
    /// Returns 1 once the run has expired, else 0.
    case shouldStop = 1
    /// `complete(i32)`: completes the run, non-zero for success.
    case complete = 2
    /// Returns the seconds left as f64.
    case timeRemaining = 3
}

/// What makes a foreign function's result a success.
package enum SuccessRule: Sendable, Equatable {
    case always
    case compare(Comparison, SuccessOperand)
}

package enum Comparison: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case equal = 1
    case notEqual = 2
    case less = 3
    case lessOrEqual = 4
    case greater = 5
    case greaterOrEqual = 6

    /// As written in `success`.
    package var text: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

package enum SuccessOperand: Sendable, Equatable {
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case null
}
