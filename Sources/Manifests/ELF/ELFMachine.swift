/// The processor that an ELF file is for.
package struct ELFMachine: Hashable, Sendable {
    /// `e_machine`, the number of elf.h.
    package var number: UInt16

    package init(number: UInt16) { self.number = number }

    private static let names: [UInt16: String] = [
        3: "i386", 8: "mips", 20: "powerpc", 21: "powerpc64", 22: "s390", 40: "arm", 62: "x86_64", 183: "aarch64",
        243: "riscv", 258: "loongarch",
    ]

    /// The usual name, or the number for a machine that has none here.
    package var name: String { Self.names[number] ?? "machine \(number)" }

    /// The processor that this program was built for.
    package static var current: ELFMachine {
        #if arch(x86_64)
        ELFMachine(number: 62)
        #elseif arch(arm64)
        ELFMachine(number: 183)
        #elseif arch(i386)
        ELFMachine(number: 3)
        #elseif arch(arm)
        ELFMachine(number: 40)
        #elseif arch(riscv64)
        ELFMachine(number: 243)
        #elseif arch(powerpc64) || arch(powerpc64le)
        ELFMachine(number: 21)
        #elseif arch(s390x)
        ELFMachine(number: 22)
        #else
        #error("name this machine's e_machine here")
        #endif
    }
}
