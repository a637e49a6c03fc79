package import TaskModel

extension ForeignFunction: FramePart {
    package func write(to frame: inout FrameWriter) {
        frame.write(library ?? "", symbol, signature, arguments, success)
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        let library: String = try frame.read()
        self.init(
            library: library.isEmpty ? nil : library, symbol: try frame.read(), signature: try frame.read(),
            arguments: try frame.read(), success: try frame.read())
        guard arguments.count == signature.parameters.count else { throw .badValue }
    }
}

extension SuccessRule: FramePart {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .always: frame.write(UInt8(0))
        case .compare(let comparison, let operand): frame.write(comparison, operand)
        }
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        let rule = try frame.integer(UInt8.self)
        if rule == 0 {
            self = .always
        } else {
            guard let comparison = Comparison(rawValue: rule) else { throw .badValue }
            self = .compare(comparison, try frame.read())
        }
    }
}

extension Signature: FramePart {
    package func write(to frame: inout FrameWriter) { frame.write(result, parameters) }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        self.init(result: try frame.read(), parameters: try frame.read())
        guard parameters.count <= Self.maximumParameters else { throw .badValue }
    }
}

extension Argument: FramePart {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .integer(let value): frame.write(UInt8(1), value)
        case .unsigned(let value): frame.write(UInt8(2), value)
        case .real(let value): frame.write(UInt8(3), value)
        case .boolean(let value): frame.write(UInt8(4), value)
        case .null: frame.write(UInt8(5))
        case .string(let value): frame.write(UInt8(6), value)
        case .payloadBytes: frame.write(UInt8(7))
        case .payloadString: frame.write(UInt8(8))
        case .payloadLength: frame.write(UInt8(9))
        case .callback(let callback, let signature): frame.write(UInt8(10), callback, signature)
        }
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        switch try frame.integer(UInt8.self) {
        case 1: self = .integer(try frame.read())
        case 2: self = .unsigned(try frame.read())
        case 3: self = .real(try frame.read())
        case 4: self = .boolean(try frame.read())
        case 5: self = .null
        case 6: self = .string(try frame.read())
        case 7: self = .payloadBytes
        case 8: self = .payloadString
        case 9: self = .payloadLength
        case 10: self = .callback(try frame.read(), try frame.read())
        default: throw .badValue
        }
    }
}

extension SuccessOperand: FramePart {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .integer(let value): frame.write(UInt8(1), value)
        case .unsigned(let value): frame.write(UInt8(2), value)
        case .real(let value): frame.write(UInt8(3), value)
        case .null: frame.write(UInt8(4))
        }
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        switch try frame.integer(UInt8.self) {
        case 1: self = .integer(try frame.read())
        case 2: self = .unsigned(try frame.read())
        case 3: self = .real(try frame.read())
        case 4: self = .null
        default: throw .badValue
        }
    }
}
