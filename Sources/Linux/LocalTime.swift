import Glibc
package import TaskModel

/// A date and a time of day in the zone of this process: TZ, else /etc/localtime.
package struct LocalTime: Sendable, Equatable {
    package var year: Int
    /// 1 to 12.
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// nil: the C library has no date for the time.
    package init?(of time: Timestamp) {
        var seconds = time_t(time.nanoseconds.flooredSeconds)
        var fields = unsafe tm()
        guard unsafe localtime_r(&seconds, &fields) != nil else { return nil }
        unsafe self.init(
            year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
            hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec))
    }

    /// Seconds that the clocks of this process's zone are ahead of UTC then; nil: the C library has no date for the time.
    package static func offset(at time: Timestamp) -> Int64? {
        var seconds = time_t(time.nanoseconds.flooredSeconds)
        var fields = unsafe tm()
        guard unsafe localtime_r(&seconds, &fields) != nil else { return nil }
        return unsafe Int64(fields.tm_gmtoff)
    }

    /// The moment, by mktime(3): a day that the month does not have is one of the next month; an hour that a clock change leaves
    /// out is the one after it, and of one that comes twice it is one of both. nil: beyond the range of timestamps.
    package var timestamp: Timestamp? {
        var fields = unsafe tm()
        unsafe fields.tm_year = Int32(clamping: year - 1900)
        unsafe fields.tm_mon = Int32(clamping: month - 1)
        unsafe fields.tm_mday = Int32(clamping: day)
        unsafe fields.tm_hour = Int32(clamping: hour)
        unsafe fields.tm_min = Int32(clamping: minute)
        unsafe fields.tm_sec = Int32(clamping: second)
        unsafe fields.tm_isdst = -1
        // -1 is an error, and a moment in 1969 that nobody means.
        let seconds = unsafe mktime(&fields)
        guard seconds != -1 else { return nil }
        let (nanoseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? nil : Timestamp(nanoseconds: nanoseconds)
    }
}

extension Int64 {
    /// Whole seconds of nanoseconds, towards the past.
    fileprivate var flooredSeconds: Int64 { (self >= 0 ? self : self - 999_999_999) / 1_000_000_000 }
}
