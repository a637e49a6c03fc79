/// Numbers in the text of cgroup files, read without allocating.
package enum CounterText {
    /// The number after `key` in a flat keyed file, such as `cpu.stat`, `memory.events`, `cgroup.events` or the version-1
    /// `memory.oom_control`; nil when the key does not stand at the start of a line with a number after it.
    package static func value(of key: String, in text: Span<UInt8>) -> UInt64? {
        let key = key.utf8Span.span
        let length = key.count
        var start = 0
        while start + length < text.count {
            var matched = 0
            while matched < length && text[start + matched] == key[matched] { matched += 1 }
            if matched == length && text[start + length] == UInt8(ascii: " ") {
                return number(in: text, from: start + length + 1)
            }
            while start < text.count && text[start] != UInt8(ascii: "\n") { start += 1 }
            start += 1
        }
        return nil
    }

    /// The number that the text begins with; nil when it begins otherwise, such as with `max`, or is beyond 64 bits.
    package static func number(in text: Span<UInt8>, from start: Int = 0) -> UInt64? {
        var index = start
        var number: UInt64 = 0
        while index < text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            let (product, tooLong) = number.multipliedReportingOverflow(by: 10)
            let (sum, tooLarge) = product.addingReportingOverflow(UInt64(digit))
            guard !tooLong && !tooLarge else { return nil }
            number = sum
            index += 1
        }
        return index > start ? number : nil
    }

    /// The time in which some task waited, in nanoseconds, of a file such as `io.pressure`.
    package static func stall(in text: String) -> Int64? {
        for line in text.split(separator: "\n") where line.hasPrefix("some ") {
            guard let field = line.split(separator: " ").last, field.hasPrefix("total="),
                let microseconds = Int64(field.dropFirst(6)), microseconds >= 0
            else { return nil }
            return microseconds.multipliedReportingOverflow(by: 1000).partialValue
        }
        return nil
    }

    /// The pids of `cgroup.procs`, one a line. A 0, for a process of a foreign pid namespace, is skipped.
    package static func processes(in text: String) -> [Int32] {
        text.split(separator: "\n").compactMap { Int32($0) }.filter { $0 > 0 }
    }
}
