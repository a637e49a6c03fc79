internal import TaskHostRuntime

/// An application's requests, in a file of its state folder, so that its next process knows them.
final class NotificationBook: @unchecked Sendable {  // everything is used under the lock
    /// One request.
    struct Entry: Codable {
        var identifier: String
        var title: String
        var subtitle: String
        var body: String
        var category: String
        var thread: String
        var badge: Int?
        var added: Date
        var interval: TimeInterval?
        var components: DateComponents?
        var repeats: Bool

        var trigger: UNNotificationTrigger? {
            if let interval { return UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: repeats) }
            return components.map { UNCalendarNotificationTrigger(dateMatching: $0, repeats: repeats) }
        }
        /// Whether it is due at a later time.
        var isPending: Bool { trigger?.nextDate(addedAt: added, after: Date()) != nil }
    }
    private struct Kept: Codable {
        /// Raw value of the requested options; nil while the application has requested none.
        var allowed: UInt?
        var entries: [Entry] = []
    }

    /// The limit on iOS; the same for delivered ones.
    private static let most = 64

    private let lock = NSLock()
    private var kept: Kept
    /// Requests of this process, which have more than is kept.
    private var requests: [String: UNNotificationRequest] = [:]
    private var storedCategories: Set<UNNotificationCategory> = []
    /// nil outside of a worker: nothing is kept.
    private let file: URL?

    init() {
        file = ConnectedHost.current.map { host in
            URL(filePath: host.stateDirectory).appending(path: ".taskhost-notifications.json")
        }
        let data = file.flatMap { try? Data(contentsOf: $0) }
        kept = data.flatMap { try? JSONDecoder().decode(Kept.self, from: $0) } ?? Kept()
    }

    var settings: UNNotificationSettings {
        lock.withLock {
            guard let allowed = kept.allowed else { return UNNotificationSettings(.notDetermined, []) }
            return UNNotificationSettings(.authorized, UNAuthorizationOptions(rawValue: allowed))
        }
    }

    var categories: Set<UNNotificationCategory> {
        get { lock.withLock { storedCategories } }
        set { lock.withLock { storedCategories = newValue } }
    }

    var pending: [UNNotificationRequest] {
        lock.withLock { kept.entries.filter(\.isPending).map(request) }
    }

    var delivered: [UNNotification] {
        lock.withLock {
            kept.entries.filter { !$0.isPending }.map { entry in
                let due = entry.trigger?.nextDate(addedAt: entry.added, after: entry.added)
                return UNNotification(request(entry), date: due ?? entry.added)
            }
        }
    }

    func allow(_ options: UNAuthorizationOptions) {
        lock.withLock {
            kept.allowed = (kept.allowed ?? 0) | options.rawValue
            save()
        }
        Note.write("asked to be allowed \(options.words): granted, and nothing is displayed")
    }

    func add(_ request: UNNotificationRequest) {
        let content = request.content
        let entry = Entry(
            identifier: request.identifier, title: content.title, subtitle: content.subtitle, body: content.body,
            category: content.categoryIdentifier, thread: content.threadIdentifier, badge: content.badge?.intValue,
            added: Date(), interval: (request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval,
            components: (request.trigger as? UNCalendarNotificationTrigger)?.dateComponents,
            repeats: request.trigger?.repeats ?? false)
        lock.withLock {
            kept.entries.removeAll { $0.identifier == entry.identifier }
            kept.entries.append(entry)
            // The oldest delivered ones are removed first.
            for isPending in [true, false] {
                let places = kept.entries.indices.filter { kept.entries[$0].isPending == isPending }
                for place in places.dropLast(Self.most).reversed() {
                    requests[kept.entries.remove(at: place).identifier] = nil
                }
            }
            requests[entry.identifier] = request
            save()
        }
        Note.write(Self.sentence(entry))
    }

    func remove(where isGone: (Entry) -> Bool) {
        lock.withLock {
            for entry in kept.entries where isGone(entry) { requests[entry.identifier] = nil }
            kept.entries.removeAll(where: isGone)
            save()
        }
    }

    private func request(_ entry: Entry) -> UNNotificationRequest {
        if let request = requests[entry.identifier] { return request }
        let content = UNMutableNotificationContent()
        content.title = entry.title
        content.subtitle = entry.subtitle
        content.body = entry.body
        content.categoryIdentifier = entry.category
        content.threadIdentifier = entry.thread
        content.badge = entry.badge.map { NSNumber(value: $0) }
        return UNNotificationRequest(identifier: entry.identifier, content: content, trigger: entry.trigger)
    }

    /// A file that cannot be written costs the next process its memory, and this one nothing.
    private func save() {
        guard let file, let data = try? JSONEncoder().encode(kept) else { return }
        try? data.write(to: file, options: .atomic)
    }

    private static func sentence(_ entry: Entry) -> String {
        let texts = [entry.title, entry.subtitle, entry.body].filter { !$0.isEmpty }.joined(separator: ": ")
        let due = entry.trigger?.nextDate(addedAt: entry.added, after: entry.added)
        let when = due.map { "at \($0.formatted(.iso8601))\(entry.repeats ? " and again" : "")" } ?? "at once"
        return "asked to notify \(when), as \"\(entry.identifier)\": \(texts)"
    }
}
