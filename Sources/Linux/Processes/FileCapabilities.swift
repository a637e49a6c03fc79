import CLinux

/// Capabilities of a program's file (capabilities(7)).
package enum FileCapabilities {
    /// Those that this process's bounding set lacks, by the kernel's numbers, as bits: the kernel executes no such file (EPERM).
    ///
    /// - Returns: 0 for a file without any, and where it cannot be looked at.
    package static func beyondBounds(of path: String) -> UInt64 { unsafe clinux_capabilities_beyond_bounds(path) }

    /// CAP_NET_RAW
    package static let rawSockets: UInt64 = 1 << 13
}
