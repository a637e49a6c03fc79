@unsafe @preconcurrency import CFFI
import Synchronization
import TaskModel

/// A C function pointer that answers for whichever run it is bound to, and harmlessly when it is bound to none.
///
/// *Thread*: `code` may be called on any thread at any time; the binding is guarded by its lock, the rest is constant
/// (hence `@unchecked`).
// Its closure is its own from init to deinit; the run keeps it for as long as the plugin may call it.
@safe final class ForeignClosure: @unchecked Sendable {
    private struct Binding {
        // Weak: the run keeps the closures, and a library that calls late must not keep the run.
        weak var context: (any ForeignCallContext)?
    }

    /// The address that the library calls.
    let code: UnsafeMutableRawPointer
    private let callback: Callback
    private let interface: CallInterface
    private let memory: UnsafeMutablePointer<ffi_closure>
    private let binding = Mutex(Binding())

    init(_ callback: Callback, _ interface: CallInterface) throws(ForeignCallError) {
        var address: UnsafeMutableRawPointer?
        guard let raw = unsafe ffi_closure_alloc(MemoryLayout<ffi_closure>.size, &address) else { throw .closure }
        guard let address = unsafe address else {
            unsafe ffi_closure_free(raw)
            throw .closure
        }
        self.callback = callback
        self.interface = interface
        unsafe memory = raw.assumingMemoryBound(to: ffi_closure.self)
        unsafe code = address
        let status = unsafe ffi_prep_closure_loc(
            memory, interface.cif,
            { _, result, arguments, closure in
                guard let closure = unsafe closure else { return }
                unsafe Unmanaged<ForeignClosure>.fromOpaque(closure).takeUnretainedValue().answer(
                    arguments, into: result)
            }, unsafe Unmanaged.passUnretained(self).toOpaque(), unsafe address)
        guard status == FFI_OK else { throw .closure }
    }

    deinit { unsafe ffi_closure_free(memory) }

    func bind(_ context: any ForeignCallContext) { binding.withLock { $0.context = context } }

    func unbind() { binding.withLock { $0.context = nil } }

    private func answer(
        _ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, into result: UnsafeMutableRawPointer?
    ) {
        // Answered outside the lock: the run may call into the library's own code, which may call back.
        let context = binding.withLock { $0.context }
        switch callback {
        case .shouldStop: unsafe give(context?.shouldStop() ?? true ? 1 : 0, into: result)
        case .timeRemaining: unsafe give(context?.timeRemaining() ?? 0, into: result)
        case .complete:
            if let context, let type = interface.signature.parameters.first, let slot = unsafe arguments?[0] {
                unsafe context.complete(success: type.loadInteger(from: slot) != 0)
            }
            unsafe give(0, into: result)
        }
    }

    /// Stores the callback's result in the type of its signature. Integers fill a whole `ffi_arg`, as libffi requires.
    private func give(_ value: Double, into result: UnsafeMutableRawPointer?) {
        guard let result = unsafe result else { return }
        switch interface.signature.result {
        case .void: break
        case .f32: unsafe result.storeBytes(of: Float(value), as: Float.self)
        case .f64: unsafe result.storeBytes(of: value, as: Double.self)
        case .bool: unsafe result.storeBytes(of: value != 0 ? 1 : 0, as: UInt64.self)
        case .i8: unsafe result.storeBytes(of: Int64(Int8(clampingReal: value)), as: Int64.self)
        case .u8: unsafe result.storeBytes(of: UInt64(UInt8(clampingReal: value)), as: UInt64.self)
        case .i16: unsafe result.storeBytes(of: Int64(Int16(clampingReal: value)), as: Int64.self)
        case .u16: unsafe result.storeBytes(of: UInt64(UInt16(clampingReal: value)), as: UInt64.self)
        case .i32: unsafe result.storeBytes(of: Int64(Int32(clampingReal: value)), as: Int64.self)
        case .u32: unsafe result.storeBytes(of: UInt64(UInt32(clampingReal: value)), as: UInt64.self)
        case .i64, .u64, .pointer, .string, .bytes, .callback:
            unsafe result.storeBytes(of: Int64(clampingReal: value), as: Int64.self)
        }
    }
}

extension FixedWidthInteger {
    /// The whole part of `value`, or the nearest number that the type has; 0 for NaN.
    init(clampingReal value: Double) {
        if let exact = Self(exactly: value.rounded(.towardZero)) {
            self = exact
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }
}
