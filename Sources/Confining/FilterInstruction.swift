import Linux

extension FilterProgram {
    /// One instruction of classic BPF, as `linux/bpf_common.h` and `linux/seccomp.h` define them.
    struct Instruction {
        private var code: UInt16
        private var ifTrue: UInt8 = 0
        private var ifFalse: UInt8 = 0
        private var operand: UInt32
        /// The operand is filled in after the fork.
        private(set) var comparesWithProcess = false

        /// Offsets in `struct seccomp_data`; arguments are 64 bits each, the low half first on every machine of Swift's.
        static let numberOffset: UInt32 = 0
        static let architectureOffset: UInt32 = 4
        static let argumentsOffset: UInt32 = 16

        private init(_ code: UInt16, _ operand: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0) {
            self.code = code
            self.operand = operand
            self.ifTrue = ifTrue
            self.ifFalse = ifFalse
        }

        /// BPF_LD | BPF_W | BPF_ABS
        static func load(_ offset: UInt32) -> Instruction { Instruction(0x20, offset) }
        /// BPF_ALU | BPF_AND | BPF_K
        static func and(_ mask: UInt32) -> Instruction { Instruction(0x54, mask) }
        /// BPF_JMP | BPF_JA
        static func jump(_ count: UInt32) -> Instruction { Instruction(0x05, count) }
        /// BPF_JMP | BPF_JEQ | BPF_K
        static func jumpIfEqual(_ value: UInt32, ifTrue: UInt8, ifFalse: UInt8) -> Instruction {
            Instruction(0x15, value, ifTrue: ifTrue, ifFalse: ifFalse)
        }
        /// BPF_JMP | BPF_JGE | BPF_K
        static func jumpIfAtLeast(_ value: UInt32, ifTrue: UInt8, ifFalse: UInt8) -> Instruction {
            Instruction(0x35, value, ifTrue: ifTrue, ifFalse: ifFalse)
        }
        /// BPF_JMP | BPF_JSET | BPF_K
        static func jumpIfAny(_ bits: UInt32, ifTrue: UInt8, ifFalse: UInt8) -> Instruction {
            Instruction(0x45, bits, ifTrue: ifTrue, ifFalse: ifFalse)
        }
        static func jumpIfProcess(ifTrue: UInt8, ifFalse: UInt8) -> Instruction {
            // Until it is pinned it equals no process id.
            var instruction = jumpIfEqual(.max, ifTrue: ifTrue, ifFalse: ifFalse)
            instruction.comparesWithProcess = true
            return instruction
        }
        /// BPF_RET | BPF_K with SECCOMP_RET_ALLOW, _ERRNO, _KILL_PROCESS or _USER_NOTIF
        static func `return`(_ verdict: FilterVerdict) -> Instruction {
            switch verdict {
            case .allow: Instruction(0x06, 0x7fff_0000)
            case .refuse(let code): Instruction(0x06, 0x0005_0000 | UInt32(code.rawValue) & 0xffff)
            case .kill: Instruction(0x06, 0x8000_0000)
            case .notify: Instruction(0x06, 0x7fc0_0000)
            }
        }

        /// `struct sock_filter`: code, jt, jf, k.
        var encoded: UInt64 {
            UInt64(code) | UInt64(ifTrue) << 16 | UInt64(ifFalse) << 24 | UInt64(operand) << 32
        }
    }
}
