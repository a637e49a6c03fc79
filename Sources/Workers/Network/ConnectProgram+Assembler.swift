extension ConnectProgram {
    /// One instruction of the kernel's machine (RFC 9669): registers 0…10, of which 10 is the end of the stack.
    struct Instruction {
        private var code: UInt8
        private var destination: UInt8 = 0
        private var source: UInt8 = 0
        var offset: Int16 = 0
        private var immediate: Int32 = 0

        private static let stack: UInt8 = 10

        var encoded: UInt64 {
            UInt64(code) | UInt64(destination) << 8 | UInt64(source) << 12
                | UInt64(UInt16(bitPattern: offset)) << 16 | UInt64(UInt32(bitPattern: immediate)) << 32
        }

        /// ALU64 | MOV
        static func move(to register: UInt8, from source: UInt8) -> Instruction {
            Instruction(code: 0xbf, destination: register, source: source)
        }
        static func move(to register: UInt8, _ value: Int32) -> Instruction {
            Instruction(code: 0xb7, destination: register, immediate: value)
        }
        /// ALU64 | ADD
        static func add(_ value: Int32, to register: UInt8) -> Instruction {
            Instruction(code: 0x07, destination: register, immediate: value)
        }
        /// LDX | MEM | W: 32 bits from the address in `source`.
        static func load(to register: UInt8, from source: UInt8, _ offset: Int16) -> Instruction {
            Instruction(code: 0x61, destination: register, source: source, offset: offset)
        }
        /// ST | MEM | W and H, to the stack.
        static func store(_ value: Int32, at offset: Int16) -> Instruction {
            Instruction(code: 0x62, destination: stack, offset: offset, immediate: value)
        }
        static func storeHalf(_ value: Int32, at offset: Int16) -> Instruction {
            Instruction(code: 0x6a, destination: stack, offset: offset, immediate: value)
        }
        /// STX | MEM | W and H, to the stack.
        static func store(register: UInt8, at offset: Int16) -> Instruction {
            Instruction(code: 0x63, destination: stack, source: register, offset: offset)
        }
        static func storeHalf(register: UInt8, at offset: Int16) -> Instruction {
            Instruction(code: 0x6b, destination: stack, source: register, offset: offset)
        }
        /// JMP | JEQ and JNE; the distance is filled in later.
        static func jump(if register: UInt8, equals value: Int32) -> Instruction {
            Instruction(code: 0x15, destination: register, immediate: value)
        }
        static func jump(unless register: UInt8, equals value: Int32) -> Instruction {
            Instruction(code: 0x55, destination: register, immediate: value)
        }
        /// LD | IMM | DW with BPF_PSEUDO_MAP_FD: two instructions long.
        static func loadMap(to register: UInt8, _ map: Int32) -> [Instruction] {
            [Instruction(code: 0x18, destination: register, source: 1, immediate: map), Instruction(code: 0)]
        }
        /// JMP | CALL of bpf_map_lookup_elem.
        static let lookUp = Instruction(code: 0x85, immediate: 1)
        static let exit = Instruction(code: 0x95)
    }

    enum Label { case refuse, allow, next }

    /// Gathers instructions and fills in the distances of jumps.
    struct Assembler {
        private var code: [Instruction] = []
        private var open: [(at: Int, label: Label)] = []

        mutating func add(_ instruction: Instruction) { code.append(instruction) }

        mutating func jump(to label: Label, if register: UInt8, equals value: Int32) {
            open.append((code.count, label))
            add(.jump(if: register, equals: value))
        }
        mutating func jump(to label: Label, unless register: UInt8, equals value: Int32) {
            open.append((code.count, label))
            add(.jump(unless: register, equals: value))
        }

        /// Looks up the key on the stack; jumps to `allow` when its value is 1, else continues.
        mutating func lookUp(_ map: Int32) {
            code += Instruction.loadMap(to: 1, map)
            add(.move(to: 2, from: 10))
            add(.add(Int32(Key.length), to: 2))
            add(.lookUp)
            jump(to: .next, if: 0, equals: 0)
            add(.load(to: 1, from: 0, 0))
            jump(to: .allow, if: 1, equals: 1)
            place(.next)
        }

        /// Jumps to the label that are still open lead here.
        mutating func place(_ label: Label) {
            for jump in open where jump.label == label { code[jump.at].offset = Int16(code.count - jump.at - 1) }
            open.removeAll { $0.label == label }
        }

        func assembled() -> [UInt64] {
            precondition(open.isEmpty, "every jump has a target")
            return code.map(\.encoded)
        }
    }
}
