import Linux

/// A seccomp filter as plain memory: made once, inherited by fork, installed with one call.
///
/// libseccomp supplies the system call numbers of this machine. The program itself is generated here, because libseccomp
/// cannot express "these values of an argument, else another errno than the default", and because a tree over *ranges* of
/// numbers is less than half as long, which halves the time to install it (the kernel translates the program and runs it
/// once for every system call number).
package struct FilterProgram: Sendable, Equatable {
    /// In the layout of `struct sock_filter`.
    package private(set) var instructions: [UInt64]
    /// Instructions that compare with the worker's process id.
    private let pins: [Int]

    /// Longest program that the kernel takes (BPF_MAXINSNS).
    package static let maximumLength = 4096

    /// Compiles rules for this machine.
    ///
    /// - Throws: `.filterProgram` when libseccomp does not know the machine, or the program grew too long.
    package init(_ rules: FilterRules) throws(ConfinementError) {
        let architecture = SystemCallArchitecture.native
        var decisions: [UInt32: FilterDecision] = [:]
        for (name, decision) in rules.decisions {
            // The default rule applies to what this machine lacks.
            if let number = architecture.number(of: name) { decisions[UInt32(number)] = decision }
        }
        guard !decisions.isEmpty else { throw ConfinementError(.filterProgram, code: 0, object: "unknown machine") }
        self.init(architecture: architecture.token, decisions: decisions, other: rules.other)
        guard instructions.count <= Self.maximumLength else {
            throw ConfinementError(.filterProgram, code: 0, object: "\(instructions.count) instructions")
        }
    }

    /// Compiles decisions by number; `other` is for every number that is not among them.
    package init(architecture: UInt32, decisions: [UInt32: FilterDecision], other: FilterDecision) {
        // Equal neighbours become one segment; a segment reaches to the start of the next.
        var segments: [Segment] = [Segment(first: 0, decision: other)]
        for number in decisions.keys.sorted() {
            let decision = decisions[number] ?? other
            Self.append(Segment(first: number, decision: decision), to: &segments)
            Self.append(Segment(first: number + 1, decision: other), to: &segments)
        }
        // x86-64 has a second set of numbers, x32, from here on; other machines have nothing there.
        Self.append(Segment(first: 0x4000_0000, decision: .verdict(.kill)), to: &segments)

        let program =
            [.load(Instruction.architectureOffset), .jumpIfEqual(architecture, ifTrue: 1, ifFalse: 0)]
            + Self.code(.verdict(.kill)) + [.load(Instruction.numberOffset)] + Self.tree(segments[...])
        instructions = program.map(\.encoded)
        pins = program.indices.filter { program[$0].comparesWithProcess }
    }

    /// Installs it in the calling process, permanently.
    ///
    /// - Throws: `.filter`.
    package func install() throws(ConfinementError) {
        try ConfinementError.at(.filter, naming: "") { () throws(SystemError) in
            try Sandbox.install(filter: instructions)
        }
    }

    /// The program for a certain process.
    package func pinned(to process: Int32) -> FilterProgram {
        guard !pins.isEmpty else { return self }
        var copy = self
        for index in pins {
            copy.instructions[index] =
                copy.instructions[index] & 0xffff_ffff | UInt64(UInt32(bitPattern: process)) << 32
        }
        return copy
    }
}

extension FilterProgram {
    private struct Segment {
        var first: UInt32
        var decision: FilterDecision
    }

    private static func append(_ segment: Segment, to segments: inout [Segment]) {
        if let last = segments.last, last.first == segment.first { segments.removeLast() }
        if let last = segments.last, last.decision == segment.decision { return }
        segments.append(segment)
    }

    /// A binary search for the segment that contains the number in the accumulator.
    private static func tree(_ segments: ArraySlice<Segment>) -> [Instruction] {
        guard segments.count > 1 else { return segments.first.map { code($0.decision) } ?? [] }
        let middle = segments.startIndex + segments.count / 2
        let below = tree(segments[..<middle])
        let above = tree(segments[middle...])
        return jump(over: below, when: { .jumpIfAtLeast(segments[middle].first, ifTrue: $0, ifFalse: $1) }) + above
    }

    private static func code(_ decision: FilterDecision) -> [Instruction] {
        switch decision {
        case .verdict(let verdict): return [.return(verdict)]
        case .when(let test, let then, let otherwise):
            let yes = code(then)
            let no = code(otherwise)
            let load = Instruction.load(Instruction.argumentsOffset + 8 * UInt32(test.argument))
            switch test.condition {
            case .hasAny(let bits):
                return [load] + jump(over: no, when: { .jumpIfAny(bits, ifTrue: $0, ifFalse: $1) }) + yes
            case .isOwnProcess:
                return [load] + jump(over: no, when: { .jumpIfProcess(ifTrue: $0, ifFalse: $1) }) + yes
            case .isOneOf(let values, let mask):
                // Every comparison jumps over the rest of the chain and over `no`.
                precondition(values.count + no.count <= 255, "a filter test is too long for its jumps")
                var chain = mask == .max ? [load] : [load, .and(mask)]
                for (index, value) in values.enumerated() {
                    let distance = values.count - 1 - index + no.count
                    chain.append(.jumpIfEqual(value, ifTrue: UInt8(distance), ifFalse: 0))
                }
                return chain + no + yes
            }
        }
    }

    /// A conditional jump over `skipped`, of any length: the offsets of conditional jumps have eight bits.
    private static func jump(
        over skipped: [Instruction], when condition: (_ ifTrue: UInt8, _ ifFalse: UInt8) -> Instruction
    ) -> [Instruction] {
        if let short = UInt8(exactly: skipped.count) { return [condition(short, 0)] + skipped }
        return [condition(0, 1), .jump(UInt32(skipped.count))] + skipped
    }
}
