package import TaskModel

/// A worker's report that a handler completed a run: 16 bytes after the header.
package struct Completion: Sendable, Equatable, BitwiseCopyable {
    package var success: Bool
    /// The return value of a foreign function, or the result of a fetch.
    package var result: ResultValue?
    /// The worker completed it, because there is no expiration handler.
    package var automatic: Bool
    /// The handler asks to be called again later instead: neither success nor result count.
    package var deferral: Deferral?

    /// The handler is a program, which ended so; no result then.
    package var program: ProgramEnd?

    package static let frameSize = FrameHeader.size + 16

    package init(success: Bool, result: ResultValue? = nil, automatic: Bool = false) {
        self.success = success
        self.result = result
        self.automatic = automatic
    }

    package init(_ deferral: Deferral) {
        self.init(success: false)
        self.deferral = deferral
    }

    package init(_ end: ProgramEnd, success: Bool) {
        self.init(success: success)
        program = end
    }

    /// Writes a whole `completed` frame; `buffer` has at least `frameSize` bytes.
    package func write(run: RunHandle, to buffer: UnsafeMutableRawBufferPointer) {
        unsafe FrameHeader(kind: .completed, length: Self.frameSize, run: run).write(to: buffer)
        let (kind, bits): (UInt8, UInt64) =
            switch (result, program) {
            case (nil, nil): (0, 0)
            case (_, .exited(let status)?): (7, UInt64(UInt32(bitPattern: status)))
            case (_, .killed(let signal)?): (8, UInt64(UInt32(bitPattern: signal)))
            case (.integer(let value)?, nil): (1, UInt64(bitPattern: value))
            case (.unsigned(let value)?, nil): (2, value)
            case (.real(let value)?, nil): (3, value.bitPattern)
            case (.boolean(let value)?, nil): (4, value ? 1 : 0)
            case (.pointer(let isNull)?, nil): (5, isNull ? 1 : 0)
            case (.fetch(let result)?, nil): (6, UInt64(result.rawValue))
            }
        unsafe buffer.storeBytes(of: 0, toByteOffset: 16, as: UInt64.self)
        unsafe buffer[16] = deferral != nil ? 2 : success ? 1 : 0
        unsafe buffer[17] = kind
        unsafe buffer[18] = automatic ? 1 : 0
        let last = deferral.map { UInt64(bitPattern: $0.pause.nanoseconds) } ?? bits
        unsafe buffer.storeBytes(of: last.littleEndian, toByteOffset: 24, as: UInt64.self)
    }

    /// Reads a whole `completed` frame whose header was read already.
    package init(from reader: FrameReader) throws(WireError) { try unsafe self.init(reading: reader.frame) }

    package init(reading frame: UnsafeRawBufferPointer) throws(WireError) {
        guard frame.count == Self.frameSize else { throw .truncated }
        guard unsafe frame[16] <= 2, unsafe frame[18] <= 1 else { throw .badValue }
        success = unsafe frame[16] == 1
        automatic = unsafe frame[18] == 1
        let bits = unsafe UInt64(littleEndian: frame.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
        if unsafe frame[16] == 2 {
            guard unsafe frame[17] == 0, !automatic,
                let asked = Deferral(TimeSpan(nanoseconds: Int64(bitPattern: bits)))
            else { throw .badValue }
            deferral = asked
            return
        }
        switch unsafe frame[17] {
        case 0: result = nil
        case 1: result = .integer(Int64(bitPattern: bits))
        case 2: result = .unsigned(bits)
        case 3: result = .real(Double(bitPattern: bits))
        case 4: result = .boolean(bits != 0)
        case 5: result = .pointer(isNull: bits != 0)
        case 6:
            guard let fetched = UInt8(exactly: bits).flatMap(FetchResult.init(rawValue:)) else { throw .badValue }
            result = .fetch(fetched)
        case 7:
            guard bits <= 255 else { throw .badValue }
            program = .exited(Int32(bits))
        case 8:
            guard (1...64).contains(bits) else { throw .badValue }
            program = .killed(signal: Int32(bits))
        default: throw .badValue
        }
    }
}
