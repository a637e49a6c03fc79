@preconcurrency import CFFI
import TaskModel

/// A signature prepared for libffi.
///
/// *Thread*: libffi only reads it after `init`, so any thread may use it (hence `@unchecked`).
final class CallInterface: @unchecked Sendable {
    let signature: Signature
    let cif: UnsafeMutablePointer<ffi_cif>
    private let types: UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>

    init(_ signature: Signature) throws(ForeignCallError) {
        self.signature = signature
        let count = signature.parameters.count
        cif = .allocate(capacity: 1)
        cif.initialize(to: ffi_cif())
        types = .allocate(capacity: max(count, 1))
        types.initialize(repeating: nil, count: max(count, 1))
        for (index, parameter) in signature.parameters.enumerated() { types[index] = parameter.ffiType }
        guard !signature.parameters.contains(.void), count <= Signature.maximumParameters,
            ffi_prep_cif(cif, FFI_DEFAULT_ABI, UInt32(count), signature.result.ffiType, types) == FFI_OK
        else { throw .signature }
    }

    deinit {
        types.deallocate()
        cif.deallocate()
    }
}
