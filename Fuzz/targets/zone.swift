import TaskModel

/// Reads the input as a zone file, and its lines as TZ strings. What is taken must answer for any time, in order and in time.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let seed = bytes.suffix(16).reduce(UInt64(count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    if let zone = try? TimeZoneRules(tzif: bytes) { check(zone, seed) }
    for line in bytes.split(separator: UInt8(ascii: "\n")).suffix(2) {
        if let zone = try? TimeZoneRules(posix: String(decoding: line, as: UTF8.self)) { check(zone, seed) }
    }
    return 0
}

private func check(_ zone: TimeZoneRules, _ seed: UInt64) {
    // Within what a timestamp holds, in seconds.
    let time = Int64(bitPattern: seed) % 9_000_000_000
    let period = zone.period(at: time)
    precondition(period.start <= time && time < period.end, "a period holds the time that it was asked for")
    let local = time + period.offset
    let first = zone.firstTime(reaching: local)
    precondition(first <= time && first + zone.offset(at: first) >= local, "the first time reaches it")
    precondition(zone.latestLocal(upTo: time) >= local, "what is shown has been shown")
    let expression = CalendarExpression(
        text: "", minutes: seed | 1, hours: UInt32(truncatingIfNeeded: seed >> 8) & 0xFFFFFF | 4,
        days: UInt32(truncatingIfNeeded: seed >> 16) & 0xFFFF_FFFE | 2, months: 0x1FFE, weekdays: 0x7F,
        hasFreeDays: false, hasFreeWeekdays: true)
    var pace = expression
    pace.hours = 0xFFFFFF
    for calendar in [expression, pace] {
        let rule = ScheduleRule(Schedule(calendar: calendar, jitter: .seconds(30)), zone: zone, seed: seed)
        var last = Timestamp(nanoseconds: time * 1_000_000_000)
        for _ in 0..<20 {
            guard let next = rule.next(after: last) else { break }
            precondition(next > last, "times ascend")
            last = next
        }
    }
}
