/// When a notification is due.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {  // immutable
    /// Whether it is due again and again.
    public let repeats: Bool
    init(repeats: Bool) { self.repeats = repeats }

    /// When it is due next, for one that was added at a moment; nil for never again.
    func nextDate(addedAt added: Date, after now: Date) -> Date? { nil }
}

/// That of a remote notification. Nothing has it here: remote notifications go to the application's delegate.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

/// Due after some time.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// Seconds.
    public let timeInterval: TimeInterval
    /// - Parameters:
    ///   - timeInterval: seconds, more than 0; 60 at least when it repeats.
    ///   - repeats: whether it is due again after the same interval.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        precondition(timeInterval > 0, "UNTimeIntervalNotificationTrigger: time interval must be greater than 0")
        precondition(
            !repeats || timeInterval >= 60,
            "UNTimeIntervalNotificationTrigger: time interval must be at least 60 if repeating")
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }
    /// When it would be due, were it added now.
    open func nextTriggerDate() -> Date? { Date(timeIntervalSinceNow: timeInterval) }

    override func nextDate(addedAt added: Date, after now: Date) -> Date? {
        let past = now.timeIntervalSince(added)
        guard past >= timeInterval else { return added + timeInterval }
        return repeats ? added + ((past / timeInterval).rounded(.down) + 1) * timeInterval : nil
    }
}

/// Due at times of the calendar.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The components that a time must match.
    public let dateComponents: DateComponents
    /// - Parameters:
    ///   - dateComponents: the components that a time must match.
    ///   - repeats: whether it is due at each such time.
    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }
    /// The next such time.
    open func nextTriggerDate() -> Date? { next(after: Date()) }

    override func nextDate(addedAt added: Date, after now: Date) -> Date? {
        if repeats { return next(after: now) }
        return next(after: added).flatMap { $0 > now ? $0 : nil }
    }

    private func next(after date: Date) -> Date? {
        (dateComponents.calendar ?? .current).nextDate(
            after: date, matching: dateComponents, matchingPolicy: .nextTime)
    }
}

/// A notification that an application requests.
open class UNNotificationRequest: NSObject, NSCopying, @unchecked Sendable {  // immutable
    /// Names it; another of the same name takes its place.
    public let identifier: String
    /// Its content.
    public let content: UNNotificationContent
    /// When it is due; nil for at once.
    public let trigger: UNNotificationTrigger?
    /// - Parameters:
    ///   - identifier: names it.
    ///   - content: its content; it is copied.
    ///   - trigger: when it is due; nil for at once.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content.copy() as? UNNotificationContent ?? content
        self.trigger = trigger
    }
    /// The same.
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func copy() -> Any { self }
}

/// A notification that was due.
open class UNNotification: NSObject, @unchecked Sendable {  // immutable
    /// When it was due.
    public let date: Date
    /// Its request.
    public let request: UNNotificationRequest
    init(_ request: UNNotificationRequest, date: Date) {
        self.request = request
        self.date = date
    }
}
