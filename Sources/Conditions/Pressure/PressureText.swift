/// A file of `/proc/pressure` (the kernel's Documentation/accounting/psi.rst).
package enum PressureText {
    /// Hundredths of a percent of the last 10 s in which some task waited; nil when the text has another format.
    package static func someAverage(in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix("some ") {
            for field in line.split(separator: " ") where field.hasPrefix("avg10=") {
                let parts = field.dropFirst(6).split(separator: ".", maxSplits: 1)
                guard parts.count == 2, parts[1].utf8.count == 2, let whole = UInt16(parts[0]),
                    let part = UInt16(parts[1])
                else { return nil }
                return Int(whole) * 100 + Int(part)
            }
        }
        return nil
    }
}
