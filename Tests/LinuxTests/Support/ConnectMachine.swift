import TaskModel
import Workers

/// Runs a program as the kernel's machine does (RFC 9669), as far as `ConnectProgram` goes, and faults at everything else.
struct ConnectMachine {
    enum Fault: Error { case instruction(UInt64), address(UInt64), uninitialised(UInt64), endless }

    /// What a connection looks like to the program: `struct bpf_sock_addr`.
    struct Connection {
        var address: NetworkAddress
        var port: UInt16
        var `protocol`: UInt32 = 6

        var bytes: [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 72)
            func put(_ value: UInt32, at offset: Int) {
                withUnsafeBytes(of: value) { for (i, byte) in $0.enumerated() { bytes[offset + i] = byte } }
            }
            let words = [address.high >> 32, address.high, address.low >> 32, address.low].map {
                UInt32(truncatingIfNeeded: $0).bigEndian
            }
            put(words[3], at: 4)
            for (index, word) in words.enumerated() { put(word, at: 8 + 4 * index) }
            put(UInt32(port.bigEndian), at: 24)
            put(`protocol`, at: 36)
            return bytes
        }
    }

    /// What the map gives for a key of 24 bytes.
    var lookUp: ([UInt8]) -> UInt32?

    private static let context: UInt64 = 0x1000_0000
    private static let stack: UInt64 = 0x2000_0000
    private static let value: UInt64 = 0x3000_0000
    private static let size: UInt64 = 512

    /// What the program returns.
    func run(_ program: ConnectProgram, _ connection: Connection) throws -> UInt64 {
        var registers = [UInt64](repeating: 0xdead_dead, count: 11)
        registers[1] = Self.context
        registers[10] = Self.stack + Self.size
        var stack = [UInt8?](repeating: nil, count: Int(Self.size))
        var value: UInt32?
        var position = 0
        for _ in 0..<1000 {
            let word = program.instructions[position]
            position += 1
            let code = UInt8(truncatingIfNeeded: word)
            let destination = Int(word >> 8 & 0xf)
            let source = Int(word >> 12 & 0xf)
            let offset = Int(Int16(truncatingIfNeeded: word >> 16))
            let immediate = UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: word >> 32)))
            func place(_ register: Int) -> UInt64 { registers[register] &+ UInt64(bitPattern: Int64(offset)) }
            func store(_ number: UInt64, _ count: Int) throws {
                let address = place(destination)
                guard address >= Self.stack, address + UInt64(count) <= Self.stack + Self.size,
                    address % UInt64(count) == 0
                else { throw Fault.address(address) }
                for i in 0..<count {
                    stack[Int(address - Self.stack) + i] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(i)))
                }
            }
            switch code {
            case 0xbf: registers[destination] = registers[source]
            case 0xb7: registers[destination] = immediate
            case 0x07: registers[destination] &+= immediate
            case 0x61:
                let address = place(source)
                let bytes: ArraySlice<UInt8>
                if address == Self.value, let value {
                    bytes = withUnsafeBytes(of: value) { Array($0) }[...]
                } else if (Self.context..<Self.context + 72).contains(address), address % 4 == 0 {
                    bytes = connection.bytes[Int(address - Self.context)..<Int(address - Self.context) + 4]
                } else {
                    throw Fault.address(address)
                }
                registers[destination] = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            case 0x62: try store(immediate, 4)
            case 0x6a: try store(immediate, 2)
            case 0x63: try store(registers[source], 4)
            case 0x6b: try store(registers[source], 2)
            case 0x15: if registers[destination] == immediate { position += offset }
            case 0x55: if registers[destination] != immediate { position += offset }
            case 0x18:
                registers[destination] = word >> 32
                position += 1
            case 0x85 where immediate == 1:
                let start = registers[2]
                guard start >= Self.stack, start + 24 <= Self.stack + Self.size else { throw Fault.address(start) }
                let key = stack[Int(start - Self.stack)..<Int(start - Self.stack) + 24]
                guard !key.contains(nil) else { throw Fault.uninitialised(start) }
                value = lookUp(key.compactMap { $0 })
                registers[0] = value == nil ? 0 : Self.value
                for register in 1...5 { registers[register] = 0xdead_dead }
            case 0x95: return registers[0]
            default: throw Fault.instruction(word)
            }
        }
        throw Fault.endless
    }
}

extension ConnectRules {
    /// The kernel's look-up: of the entries that the key begins with, the longest.
    func value(of key: [UInt8]) -> UInt32? {
        func bits(_ key: [UInt8]) -> Int { key[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) } }
        func agree(_ entry: [UInt8], _ length: Int) -> Bool {
            (0..<length).allSatisfy { bit in
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                return entry[4 + bit / 8] & mask == key[4 + bit / 8] & mask
            }
        }
        return entries.map { ($0.key.bytes, $0.value) }
            .filter { bits($0.0) <= bits(key) && agree($0.0, bits($0.0)) }
            .max { bits($0.0) < bits($1.0) }
            .map { $0.1 ? 1 : 0 }
    }
}
