import TaskModel

/// A length of time as units have it (systemd.time(7)): `90`, `5min 20s`, `1h`.
enum UnitSpan {
    private static let units: [(names: [String], seconds: Double)] = [
        (["us", "usec", "µs"], 1e-6), (["ms", "msec"], 1e-3), (["", "s", "sec", "second", "seconds"], 1),
        (["m", "min", "minute", "minutes"], 60), (["h", "hr", "hour", "hours"], 3600),
        (["d", "day", "days"], 86_400), (["w", "week", "weeks"], 604_800), (["M", "month", "months"], 2_629_800),
        (["y", "year", "years"], 31_557_600),
    ]

    /// In whole seconds, rounded up; nil: it is no length, or none that ends (`infinity`).
    static func seconds(_ text: String) -> Int64? {
        var rest = text.trimmingSpaces()[...]
        guard !rest.isEmpty else { return nil }
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count).drop(while: \.isWhitespace)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count).drop(while: \.isWhitespace)
            guard let number = Double(digits),
                let factor = units.first(where: { $0.names.contains(String(unit)) })?.seconds
            else { return nil }
            sum += number * factor
        }
        return sum <= 1e12 ? Int64(sum.rounded(.up)) : nil
    }
}
