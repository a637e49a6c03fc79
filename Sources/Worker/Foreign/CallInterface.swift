@unsafe @preconcurrency import CFFI
import TaskModel

/// A signature prepared for libffi.
///
/// *Thread*: libffi only reads it after `init`, so any thread may use it (hence `@unchecked`).
// Its memory is its own from init to deinit, and not written after init.
@safe final class CallInterface: @unchecked Sendable {
    let signature: Signature
    let cif: UnsafeMutablePointer<ffi_cif>
    private let types: UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>

    init(_ signature: Signature) throws(ForeignCallError) {
        self.signature = signature
        let count = signature.parameters.count
        unsafe cif = .allocate(capacity: 1)
        unsafe cif.initialize(to: ffi_cif())
        unsafe types = .allocate(capacity: max(count, 1))
        unsafe types.initialize(repeating: nil, count: max(count, 1))
        for (index, parameter) in signature.parameters.enumerated() { unsafe types[index] = unsafe parameter.ffiType }
        guard !signature.parameters.contains(.void), count <= Signature.maximumParameters,
            unsafe ffi_prep_cif(cif, FFI_DEFAULT_ABI, UInt32(count), signature.result.ffiType, types) == FFI_OK
        else { throw .signature }
    }

    deinit {
        unsafe types.deallocate()
        unsafe cif.deallocate()
    }
}
