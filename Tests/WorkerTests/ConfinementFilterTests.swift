import Confining
import Linux
import Testing

@testable import Worker

@Suite("The system call filter")
struct ConfinementFilterTests {
    private static let policies: [SystemCallPolicy] = [false, true].flatMap { network in
        [false, true].flatMap { ownUser in
            [false, true].map { pins in
                var policy = SystemCallPolicy(
                    network: network, ownUser: ownUser, pinsSignals: pins, landlockGuardsTruncation: !pins)
                policy.diskIsFull = network && ownUser
                return policy
            }
        }
    }
    private static let architecture = SystemCallArchitecture.native.token
    private static let process: Int32 = 4711

    /// Values around those that the decisions look for.
    private static let words: [UInt64] = [
        0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 16, 19, 22, 26, 31, 36, 47, 50, 0x41, 0x80, 0x1ff, 0x5401, 0x5412, 0o4755,
        0o100_644, 262,
        1030, 4711, 4712, 0x2_0000, 0x1000_0000, 0x2000_0000, 0x5961_6d61, 0x5356_4d41, 0xffff_ffff, 0x1_0000_0001,
        0x1_0000_0000 | 4711,
    ]

    @Test("compiles to what the tables say, for every call and many arguments", arguments: policies)
    func agreesWithTables(_ policy: SystemCallPolicy) throws {
        for rules in [policy.base, policy.addition] {
            // Our own numbers: every name is there.
            let names = rules.decisions.keys.sorted()
            var decisions: [UInt32: FilterDecision] = [:]
            for (index, name) in names.enumerated() { decisions[UInt32(index * 2)] = rules.decisions[name] }
            let program = FilterProgram(architecture: Self.architecture, decisions: decisions, other: rules.other)
                .pinned(to: Self.process)
            for number in UInt32(0)...UInt32(names.count * 2 + 3) {
                let decision = decisions[number] ?? rules.other
                for word in Self.words {
                    for other in Self.words.prefix(8) {
                        let arguments = [word, other, word, other, 0, 0]
                        let expected = decision.verdict(arguments, Self.process)
                        let found = program.run(Self.architecture, number, arguments)
                        guard expected == found else {
                            Issue.record("call \(number) \(arguments): \(found), expected \(expected)")
                            return
                        }
                        let turned = [other, word, other, word, 0, 0]
                        #expect(
                            program.run(Self.architecture, number, turned) == decision.verdict(turned, Self.process))
                    }
                }
            }
        }
    }

    @Test("kills a process that calls by another numbering", arguments: policies)
    func killsOtherNumbering(_ policy: SystemCallPolicy) {
        let program = FilterProgram(
            architecture: Self.architecture, decisions: [0: .allow], other: policy.addition.other)
        let none: [UInt64] = [0, 0, 0, 0, 0, 0]
        #expect(program.run(0x4000_0003, 0, none) == .kill)
        #expect(program.run(Self.architecture, 0x4000_0000, none) == .kill)
        #expect(program.run(Self.architecture, .max, none) == .kill)
        #expect(program.run(Self.architecture, 0, none) == .allow)
    }

    @Test("is in two parts that together are as strict as the tables", arguments: policies)
    func partsMakeTheWhole(_ policy: SystemCallPolicy) {
        let base = policy.base
        let addition = policy.addition
        let whole = policy.decisions()
        for name in Set(base.decisions.keys).union(whole.keys) {
            let final = whole[name] ?? base.other
            for word in Self.words {
                let arguments = [word, word, word, word, 0, 0]
                let first = (base.decisions[name] ?? base.other).verdict(arguments, Self.process)
                let second = (addition.decisions[name] ?? addition.other).verdict(arguments, Self.process)
                // The kernel obeys the stricter; of two refusals, that of the filter that came last.
                let both = second == .allow ? first : first == .kill ? first : second
                #expect(both == final.verdict(arguments, Self.process), "\(name)")
            }
        }
    }

    @Test("lets the process that makes workers do so, and workers not")
    func baseServesTheZygote() {
        for policy in Self.policies {
            for name in ["clone3", "execve", "setresuid", "landlock_restrict_self", "seccomp", "setsid", "prctl"] {
                #expect(policy.base.decisions[name] == .allow, "\(name)")
                #expect(policy.decisions()[name] != .allow, "\(name)")
            }
        }
    }

    @Test("that is explained lets the same calls pass, and asks about the rest", arguments: policies)
    func explained(_ policy: SystemCallPolicy) throws {
        for (hasBroker, sendsEcho) in [(false, false), (true, false), (false, true), (true, true)] {
            var policy = policy
            policy.runsPrograms = true
            policy.hasBroker = hasBroker
            policy.sendsEcho = sendsEcho
            let explained = try ExplainedFilter(policy)
            var asked: Set<String> = []
            for (name, decision) in policy.decisions() {
                guard let number = SystemCallArchitecture.native.number(of: name) else { continue }
                for word in Self.words {
                    for arguments in [[word, word, word, word, 0, 0], [0, word, 1, word, word, 0]] {
                        let expected = decision.verdict(arguments, .max)
                        let found = explained.program.pinned(to: .max).run(Self.architecture, UInt32(number), arguments)
                        guard found == .notify, expected != .notify else {
                            #expect(found == expected, "\(name) \(arguments)")
                            continue
                        }
                        asked.insert(name)
                        var words = InlineArray<6, UInt64>(repeating: 0)
                        for place in words.indices { words[place] = arguments[place] }
                        let call = try #require(explained.calls[number])
                        #expect(
                            call.name == name && call.decision.verdict(for: words) == expected, "\(name) \(arguments)")
                    }
                }
            }
            #expect(asked.isSuperset(of: ["openat", "execve", "ptrace", "mount", "renameat2"]))
            #expect(asked.isDisjoint(with: ["read", "ioctl", "kill"]))
        }
    }

    @Test("has the broker asked for datagram sockets alone where echo requests are granted")
    func echo() {
        var policy = SystemCallPolicy(network: false, ownUser: true, pinsSignals: false, landlockGuardsTruncation: true)
        policy.sendsEcho = true
        let (datagram, stream, raw): (UInt64, UInt64, UInt64) = (2, 1, 3)
        let nonblocking: UInt64 = 0o2_004_000
        let decisions = policy.decisions()
        func verdict(_ domain: UInt32, _ type: UInt64, _ number: UInt64) -> FilterVerdict? {
            decisions["socket"]?.verdict([UInt64(domain), type, number, 0, 0, 0], Self.process)
        }
        for domain in [SocketNumber.AF_INET, SocketNumber.AF_INET6] {
            for number: UInt64 in [0, 1, 17, 58] {
                #expect(verdict(domain, datagram | nonblocking, number) == .notify)
                #expect(verdict(domain, stream, number) == .refuse(.EACCES))
                #expect(verdict(domain, raw, number) == .refuse(.EPERM))
            }
            // UDPLITE, L2TP
            for number: UInt64 in [136, 115] { #expect(verdict(domain, datagram, number) == .refuse(.EACCES)) }
        }
        #expect(verdict(SocketNumber.AF_UNIX, datagram, 0) == .refuse(.EACCES))
        #expect(decisions["connect"] == .allow && decisions["bind"] == .refuse(.EPERM))
        // IP_ADD_MEMBERSHIP, MCAST_JOIN_GROUP; IPV6_JOIN_GROUP; IP_TTL
        for (level, option) in [(0, 35), (0, 42), (41, 20), (41, 42), (0, 4), (0, 2)] as [(UInt64, UInt64)] {
            let verdict = decisions["setsockopt"]?.verdict([3, level, option, 0, 0, 0], Self.process)
            #expect(verdict == (option == 2 ? .allow : .refuse(.EPERM)), "\(level) \(option)")
        }
        policy.hasBroker = true
        #expect(policy.decisions()["connect"] == .notify)
    }

    @Test("of a worker is short", arguments: policies.filter { !$0.diskIsFull })
    func isShort(_ policy: SystemCallPolicy) throws {
        #expect(try FilterProgram(policy.addition).instructions.count < 170)
        #expect(try FilterProgram(policy.base).instructions.count < 600)
    }
}

extension FilterDecision {
    /// What the decision says, read off the tree.
    func verdict(_ arguments: [UInt64], _ process: Int32) -> FilterVerdict {
        switch self {
        case .verdict(let verdict): return verdict
        case .when(let test, let then, let otherwise):
            let value = UInt32(truncatingIfNeeded: arguments[test.argument])
            let holds =
                switch test.condition {
                case .hasAny(let bits): value & bits != 0
                case .isOneOf(let values, let mask): values.contains(value & mask)
                case .isOwnProcess: value == UInt32(process)
                }
            return (holds ? then : otherwise).verdict(arguments, process)
        }
    }
}

extension FilterProgram {
    /// Runs the program as the kernel would.
    fileprivate func run(_ architecture: UInt32, _ number: UInt32, _ arguments: [UInt64]) -> FilterVerdict {
        var data = [number, architecture, 0, 0]
        for argument in arguments {
            data.append(UInt32(truncatingIfNeeded: argument))
            data.append(UInt32(truncatingIfNeeded: argument >> 32))
        }
        var accumulator: UInt32 = 0
        var next = 0
        while true {
            let instruction = instructions[next]
            let operand = UInt32(instruction >> 32)
            let jump = (yes: Int(instruction >> 16 & 0xff), no: Int(instruction >> 24 & 0xff))
            next += 1
            switch instruction & 0xffff {
            case 0x20: accumulator = data[Int(operand) / 4]
            case 0x54: accumulator &= operand
            case 0x05: next += Int(operand)
            case 0x15: next += accumulator == operand ? jump.yes : jump.no
            case 0x35: next += accumulator >= operand ? jump.yes : jump.no
            case 0x45: next += accumulator & operand != 0 ? jump.yes : jump.no
            default:
                switch operand & 0xffff_0000 {
                case 0x7fff_0000: return .allow
                case 0x7fc0_0000: return .notify
                case 0x0005_0000: return .refuse(Errno(Int32(operand & 0xffff)))
                default: return .kill
                }
            }
        }
    }
}
