import CLinux

/// Where a program of the kernel's decides of a control group's sockets.
package enum SocketHook: Sendable {
    case connect4, connect6, datagram4, datagram6

    fileprivate var place: Int32 {
        switch self {
        case .connect4: Int32(CLINUX_CONNECT_4)
        case .connect6: Int32(CLINUX_CONNECT_6)
        case .datagram4: Int32(CLINUX_DATAGRAM_4)
        case .datagram6: Int32(CLINUX_DATAGRAM_6)
        }
    }
}

/// A program that was loaded (bpf(2)).
package struct SocketProgram: ~Copyable, Sendable {
    private let descriptor: Descriptor
    private let hook: SocketHook

    /// - Parameter instructions: in the layout of `struct bpf_insn`.
    package init(_ instructions: [UInt64], at hook: SocketHook) throws(SystemError) {
        self.hook = hook
        descriptor = unsafe Descriptor(
            adopting: try check(
                clinux_load_program(instructions, UInt32(instructions.count), hook.place), "bpf", "a program"))
    }

    /// For a control group of version 2 and everything below it, for its lifetime; in addition to programs of others.
    package borrowing func attach(to group: Int32) throws(SystemError) {
        try check(clinux_attach_program(group, descriptor.number, hook.place), "bpf", "a control group")
    }
}

/// A kernel map from prefixes to numbers; a look-up finds the longest prefix.
package struct PrefixMap: ~Copyable, Sendable {
    /// Programs name it by its number.
    package let descriptor: Descriptor

    /// - Parameter keySize: in bytes; a key begins with its length in bits.
    package init(keySize: Int, capacity: Int) throws(SystemError) {
        descriptor = Descriptor(
            adopting: try check(clinux_prefix_map(UInt32(keySize), UInt32(clamping: max(1, capacity))), "bpf", "a map"))
    }

    package borrowing func set(_ key: [UInt8], _ value: UInt32) throws(SystemError) {
        try unsafe check(clinux_prefix_map_set(descriptor.number, key, value), "bpf", "a map's entry")
    }

    /// A missing key is not an error.
    package borrowing func remove(_ key: [UInt8]) throws(SystemError) {
        try unsafe check(clinux_prefix_map_remove(descriptor.number, key), "bpf", "a map's entry")
    }
}
