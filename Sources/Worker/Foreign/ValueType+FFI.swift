@unsafe @preconcurrency import CFFI
import TaskModel

extension ValueType {
    /// libffi's description of this type.
    var ffiType: UnsafeMutablePointer<ffi_type> { unsafe Self.ffiTypes[Int(rawValue)] }

    // C globals, so the pointers are good for ever. Taken once, by one thread: to Swift each `&` is a write to the global.
    nonisolated(unsafe) private static let ffiTypes: [UnsafeMutablePointer<ffi_type>] = unsafe allCases.map { type in
        switch type {
        case .void: unsafe withUnsafeMutablePointer(to: &ffi_type_void) { unsafe $0 }
        case .bool, .u8: unsafe withUnsafeMutablePointer(to: &ffi_type_uint8) { unsafe $0 }
        case .i8: unsafe withUnsafeMutablePointer(to: &ffi_type_sint8) { unsafe $0 }
        case .i16: unsafe withUnsafeMutablePointer(to: &ffi_type_sint16) { unsafe $0 }
        case .u16: unsafe withUnsafeMutablePointer(to: &ffi_type_uint16) { unsafe $0 }
        case .i32: unsafe withUnsafeMutablePointer(to: &ffi_type_sint32) { unsafe $0 }
        case .u32: unsafe withUnsafeMutablePointer(to: &ffi_type_uint32) { unsafe $0 }
        case .i64: unsafe withUnsafeMutablePointer(to: &ffi_type_sint64) { unsafe $0 }
        case .u64: unsafe withUnsafeMutablePointer(to: &ffi_type_uint64) { unsafe $0 }
        case .f32: unsafe withUnsafeMutablePointer(to: &ffi_type_float) { unsafe $0 }
        case .f64: unsafe withUnsafeMutablePointer(to: &ffi_type_double) { unsafe $0 }
        case .pointer, .string, .bytes, .callback: unsafe withUnsafeMutablePointer(to: &ffi_type_pointer) { unsafe $0 }
        }
    }

    /// Stores an argument as C has it in memory. `slot` has 8 bytes; bits beyond the type's width are dropped.
    func store(_ bits: UInt64, in slot: UnsafeMutableRawPointer) {
        switch self {
        case .void: break
        case .bool, .i8, .u8: unsafe slot.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
        case .i16, .u16: unsafe slot.storeBytes(of: UInt16(truncatingIfNeeded: bits), as: UInt16.self)
        case .i32, .u32, .f32: unsafe slot.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
        case .i64, .u64, .f64, .pointer, .string, .bytes, .callback: unsafe slot.storeBytes(of: bits, as: UInt64.self)
        }
    }

    /// Reads an argument that a callback got; integers are extended by their sign.
    func loadInteger(from slot: UnsafeRawPointer) -> Int64 {
        switch self {
        case .bool, .u8: unsafe Int64(slot.load(as: UInt8.self))
        case .i8: unsafe Int64(slot.load(as: Int8.self))
        case .i16: unsafe Int64(slot.load(as: Int16.self))
        case .u16: unsafe Int64(slot.load(as: UInt16.self))
        case .i32: unsafe Int64(slot.load(as: Int32.self))
        case .u32: unsafe Int64(slot.load(as: UInt32.self))
        case .i64, .u64: unsafe slot.load(as: Int64.self)
        case .void, .f32, .f64, .pointer, .string, .bytes, .callback: 0
        }
    }

    /// Reads a result. libffi widens integers shorter than a register to one (`ffi_arg`), but not reals.
    func loadResult(from slot: UnsafeRawPointer) -> ResultValue? {
        let bits = unsafe slot.load(as: UInt64.self)
        return switch self {
        case .void: nil
        case .bool: .boolean(UInt8(truncatingIfNeeded: bits) != 0)
        case .i8: .integer(Int64(Int8(truncatingIfNeeded: bits)))
        case .i16: .integer(Int64(Int16(truncatingIfNeeded: bits)))
        case .i32: .integer(Int64(Int32(truncatingIfNeeded: bits)))
        case .i64: .integer(Int64(bitPattern: bits))
        case .u8: .unsigned(UInt64(UInt8(truncatingIfNeeded: bits)))
        case .u16: .unsigned(UInt64(UInt16(truncatingIfNeeded: bits)))
        case .u32: .unsigned(UInt64(UInt32(truncatingIfNeeded: bits)))
        case .u64: .unsigned(bits)
        case .f32: unsafe .real(Double(slot.load(as: Float.self)))
        case .f64: unsafe .real(slot.load(as: Double.self))
        case .pointer, .string, .bytes, .callback: .pointer(isNull: bits == 0)
        }
    }
}
