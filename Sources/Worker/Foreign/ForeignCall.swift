@unsafe @preconcurrency import CFFI
package import TaskModel

/// A foreign function, ready to be called for any number of runs at once. Made once per task, when the worker has loaded
/// the library.
///
/// *Thread*: any; nothing changes after `init` (hence `@unchecked`).
package final class ForeignCall: @unchecked Sendable {
    /// A `complete` callback is among the arguments: the run completes by it, not by the function's return.
    package let completesByCallback: Bool
    /// Its result is a text for the host: a credential.
    package var givesText: Bool { interface.signature.result == .string }

    private let address: @convention(c) () -> Void
    private let interface: CallInterface
    private let layout: ArgumentLayout
    private let success: SuccessTest
    private let pools: [ClosurePool]

    /// Checks and lays out everything that is the same for every run.
    ///
    /// - Parameters:
    ///   - address: where the symbol was found. The library stays loaded.
    ///   - variables: what to replace at the beginning of string arguments, such as `$STATE`, `$` included; only where
    ///     the text ends there or a `/` follows.
    /// - Throws: when arguments, signature and success rule do not fit together, or the machine refuses callbacks.
    package init(
        _ function: ForeignFunction, address: UnsafeMutableRawPointer, variables: [(name: String, value: String)]
    ) throws(ForeignCallError) {
        unsafe self.address = unsafeBitCast(address, to: (@convention(c) () -> Void).self)
        interface = try CallInterface(function.signature)
        layout = try ArgumentLayout(
            function.arguments, types: function.signature.parameters, variables: variables)
        success = try SuccessTest(function.success, result: function.signature.result)
        var pools: [ClosurePool] = []
        var completes = false
        for (index, argument) in function.arguments.enumerated() {
            guard case .callback(let callback, let signature) = argument else { continue }
            guard signature.canServe(callback) else { throw .callback(index: index) }
            pools.append(try ClosurePool(callback, signature))
            completes = completes || callback == .complete
        }
        self.pools = pools
        completesByCallback = completes
    }

    /// Calls the function on this thread and returns when it returns.
    ///
    /// Allocates nothing when the function takes no callbacks and gives no text. The callbacks answer for `context` from before the call
    /// until the returned `callbacks` go.
    ///
    /// - Throws: `payloadLength` or, when there is no memory for a callback, `closure`; the function was not called then.
    package func call(_ context: any ForeignCallContext) throws(ForeignCallError) -> ForeignResult {
        let length = unsafe context.payload.count
        for patch in layout.patches {
            if case .payloadLength = patch.source, !patch.type.holds(count: length) {
                throw .payloadLength(length, type: patch.type)
            }
        }
        let callbacks = pools.isEmpty ? nil : try ForeignCallbacks(pools, for: context)
        let bits = withExtendedLifetime(context) { unsafe invoke(payload: context.payload, callbacks: callbacks) }
        let value = unsafe withUnsafeBytes(of: bits) {
            unsafe interface.signature.result.loadResult(from: $0.baseAddress!)
        }
        return ForeignResult(
            value: value, text: givesText ? Self.text(at: bits) : nil, success: success.holds(for: value),
            callbacks: callbacks)
    }

    /// Copies it before the library, which owns the memory, does anything else.
    private static func text(at address: UInt64) -> String? {
        guard let start = unsafe UnsafePointer<CChar>(bitPattern: UInt(address)),
            let text = unsafe readText(start, most: TransferLimit.headers), !text.isEmpty
        else { return nil }
        return text
    }

    /// Calls it, and returns the bits of its result.
    private func invoke(payload: UnsafeRawBufferPointer, callbacks: ForeignCallbacks?) -> UInt64 {
        // Sized for the longest signature: a constant, and small enough to stay on the stack.
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Signature.maximumParameters + 1) { slots in
            unsafe withUnsafeTemporaryAllocation(
                of: UnsafeMutableRawPointer?.self, capacity: Signature.maximumParameters
            ) { pointers in
                for index in 0..<layout.count {
                    unsafe slots.initializeElement(at: index, to: layout.constants[index])
                    unsafe pointers.initializeElement(at: index, to: slots.address(of: index))
                }
                for patch in layout.patches {
                    unsafe patch.type.store(
                        bits(for: patch.source, payload: payload, callbacks: callbacks),
                        in: slots.address(of: patch.index))
                }
                let result = unsafe slots.address(of: Signature.maximumParameters)
                unsafe result.storeBytes(of: 0, as: UInt64.self)
                unsafe ffi_call(interface.cif, address, result, pointers.baseAddress)
                return unsafe result.load(as: UInt64.self)
            }
        }
    }

    private func bits(
        for source: ArgumentLayout.Patch.Source, payload: UnsafeRawBufferPointer, callbacks: ForeignCallbacks?
    ) -> UInt64 {
        switch source {
        case .payload: unsafe UInt64(UInt(bitPattern: payload.baseAddress ?? UnsafeRawPointer(layout.emptyText)))
        case .payloadLength: UInt64(payload.count)
        case .callback(let number): unsafe UInt64(UInt(bitPattern: callbacks?.code(number)))
        }
    }
}

extension UnsafeMutableBufferPointer<UInt64> {
    /// The address of a slot. The buffer is not empty.
    fileprivate func address(of index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(mutating: UnsafeRawPointer(baseAddress!) + 8 * index)
    }
}

extension Signature {
    /// Whether a function with this signature can serve as the callback.
    fileprivate func canServe(_ callback: Callback) -> Bool {
        guard !parameters.contains(.void), parameters.count <= Self.maximumParameters else { return false }
        return switch callback {
        case .complete: parameters.first.map { $0.isInteger || $0 == .bool } ?? false
        case .shouldStop, .timeRemaining: result != .void
        }
    }
}
