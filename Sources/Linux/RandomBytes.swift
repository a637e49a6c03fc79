import CLinux

/// Bytes of the kernel that nobody can foresee (getrandom(2)).
package enum RandomBytes {
    /// What one call gives for certain.
    package static let most = 256

    package static func make(_ count: Int) -> [UInt8] {
        precondition(count <= most, "one call of getrandom gives so many bytes (getrandom(2))")
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            filled = Int(unsafe clinux_random(room.baseAddress, count))
            precondition(filled == count, "getrandom fills up to 256 bytes at once (getrandom(2))")
        }
    }
}
