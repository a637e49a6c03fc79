package import TaskModel

extension ForeignFunction {
    package func write(to frame: inout FrameWriter) {
        frame.text(library ?? "")
        frame.text(symbol)
        signature.write(to: &frame)
        frame.list(arguments) { frame, argument in argument.write(to: &frame) }
        switch success {
        case .always: frame.integer(UInt8(0))
        case .compare(let comparison, let operand):
            frame.integer(comparison.rawValue)
            operand.write(to: &frame)
        }
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        let library = try frame.text()
        let symbol = try frame.text()
        let signature = try Signature(from: &frame)
        let arguments = try frame.list { (r: inout FrameReader) throws(WireError) in try Argument(from: &r) }
        guard arguments.count == signature.parameters.count else { throw .badValue }
        let rule = try frame.integer(UInt8.self)
        let success: SuccessRule
        if rule == 0 {
            success = .always
        } else {
            guard let comparison = Comparison(rawValue: rule) else { throw .badValue }
            success = .compare(comparison, try SuccessOperand(from: &frame))
        }
        self.init(
            library: library.isEmpty ? nil : library, symbol: symbol, signature: signature, arguments: arguments,
            success: success)
    }
}

extension Signature {
    func write(to frame: inout FrameWriter) {
        frame.integer(result.rawValue)
        frame.list(parameters) { $0.integer($1.rawValue) }
    }

    init(from frame: inout FrameReader) throws(WireError) {
        let result = try ValueType(from: &frame)
        let parameters = try frame.list { (r: inout FrameReader) throws(WireError) in try ValueType(from: &r) }
        guard parameters.count <= Self.maximumParameters else { throw .badValue }
        self.init(result: result, parameters: parameters)
    }
}

extension ValueType {
    init(from frame: inout FrameReader) throws(WireError) {
        guard let type = ValueType(rawValue: try frame.integer()) else { throw .badValue }
        self = type
    }
}

extension Argument {
    func write(to frame: inout FrameWriter) {
        switch self {
        case .integer(let value):
            frame.integer(UInt8(1))
            frame.integer(value)
        case .unsigned(let value):
            frame.integer(UInt8(2))
            frame.integer(value)
        case .real(let value):
            frame.integer(UInt8(3))
            frame.integer(value.bitPattern)
        case .boolean(let value):
            frame.integer(UInt8(4))
            frame.flag(value)
        case .null: frame.integer(UInt8(5))
        case .string(let value):
            frame.integer(UInt8(6))
            frame.text(value)
        case .payloadBytes: frame.integer(UInt8(7))
        case .payloadString: frame.integer(UInt8(8))
        case .payloadLength: frame.integer(UInt8(9))
        case .callback(let callback, let signature):
            frame.integer(UInt8(10))
            frame.integer(callback.rawValue)
            signature.write(to: &frame)
        }
    }

    init(from frame: inout FrameReader) throws(WireError) {
        switch try frame.integer(UInt8.self) {
        case 1: self = .integer(try frame.integer())
        case 2: self = .unsigned(try frame.integer())
        case 3: self = .real(Double(bitPattern: try frame.integer()))
        case 4: self = .boolean(try frame.flag())
        case 5: self = .null
        case 6: self = .string(try frame.text())
        case 7: self = .payloadBytes
        case 8: self = .payloadString
        case 9: self = .payloadLength
        case 10:
            guard let callback = Callback(rawValue: try frame.integer()) else { throw .badValue }
            self = .callback(callback, try Signature(from: &frame))
        default: throw .badValue
        }
    }
}

extension SuccessOperand {
    func write(to frame: inout FrameWriter) {
        switch self {
        case .integer(let value):
            frame.integer(UInt8(1))
            frame.integer(value)
        case .unsigned(let value):
            frame.integer(UInt8(2))
            frame.integer(value)
        case .real(let value):
            frame.integer(UInt8(3))
            frame.integer(value.bitPattern)
        case .null: frame.integer(UInt8(4))
        }
    }

    init(from frame: inout FrameReader) throws(WireError) {
        switch try frame.integer(UInt8.self) {
        case 1: self = .integer(try frame.integer())
        case 2: self = .unsigned(try frame.integer())
        case 3: self = .real(Double(bitPattern: try frame.integer()))
        case 4: self = .null
        default: throw .badValue
        }
    }
}
