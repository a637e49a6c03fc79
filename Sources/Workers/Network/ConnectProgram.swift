/// A BPF program that decides on the connections of a control group (BPF_PROG_TYPE_CGROUP_SOCK_ADDR), assembled here. It
/// looks the address up in a map of `ConnectRules.Key`s, so that it never has to be replaced.
package struct ConnectProgram: Sendable, Equatable {
    /// In the layout of `struct bpf_insn`.
    package private(set) var instructions: [UInt64] = []

    /// Which addresses it is asked about.
    package enum Family: Sendable, CaseIterable {
        case v4
        case v6
    }

    /// Allows TCP connections that the map allows, and nothing else.
    ///
    /// - Parameter map: a descriptor of the map, whose values are 1 for allowed.
    package init(_ family: Family, map: Int32) {
        var code = Assembler()
        code.add(.move(to: 6, from: 1))
        code.add(.load(to: 1, from: 6, Context.socketProtocol))
        code.jump(to: .refuse, unless: 1, equals: Context.tcp)
        // As the network writes it, in the low half.
        code.add(.load(to: 7, from: 6, Context.port))
        code.jump(to: .refuse, if: 7, equals: 0)
        code.add(.store(Self.head + 128, at: Key.length))
        code.add(.storeHalf(0, at: Key.nothing))
        code.add(.storeHalf(register: 7, at: Key.port))
        switch family {
        case .v4:
            code.add(.store(0, at: Key.address))
            code.add(.store(0, at: Key.address + 4))
            // The mapped form: 00 00 ff ff.
            code.add(.store(Int32(bitPattern: UInt32(0xffff).bigEndian), at: Key.address + 8))
            code.add(.load(to: 1, from: 6, Context.v4))
            code.add(.store(register: 1, at: Key.address + 12))
        case .v6:
            for word in 0..<Int16(4) {
                code.add(.load(to: 1, from: 6, Context.v6 + 4 * word))
                code.add(.store(register: 1, at: Key.address + 4 * word))
            }
        }
        code.lookUp(map)
        code.add(.storeHalf(0, at: Key.port))
        code.lookUp(map)
        code.place(.refuse)
        code.add(.move(to: 0, 0))
        code.add(.exit)
        code.place(.allow)
        code.add(.move(to: 0, 1))
        code.add(.exit)
        instructions = code.assembled()
    }

    private init(_ code: [Instruction]) { instructions = code.map(\.encoded) }

    /// Refuses everything: for datagrams without a connection.
    package static let refusal = ConnectProgram([.move(to: 0, 0), .exit])

    private static let head: Int32 = 32

    /// Offsets in `struct bpf_sock_addr` (linux/bpf.h), in words of 32 bits.
    enum Context {
        static let v4: Int16 = 4
        static let v6: Int16 = 8
        static let port: Int16 = 24
        static let socketProtocol: Int16 = 36
        static let tcp: Int32 = 6
    }

    /// Offsets from the end of the stack: `ConnectRules.Key.bytes`.
    enum Key {
        static let length: Int16 = -24
        static let nothing: Int16 = -20
        static let port: Int16 = -18
        static let address: Int16 = -16
    }
}
