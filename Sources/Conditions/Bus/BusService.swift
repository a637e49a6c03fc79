package import TaskModel

/// A property of an object of a service.
package struct BusProperty: Sendable {
    package var path: String
    package var interface: String
    package var name: String
    package var type: BusValue.Kind

    package init(path: String, interface: String, name: String, type: BusValue.Kind) {
        self.path = path
        self.interface = interface
        self.name = name
        self.type = type
    }
}

/// A service on the bus: whether it is there, and what its properties were when they were last read.
///
/// Signals only say when to read again: their contents cannot be trusted, whereas a reply comes from the owner of the name.
package final class BusService {
    enum Presence {
        /// Not asked yet, or no bus to ask.
        case unasked
        case absent
        /// The unique name of its owner.
        case owned(by: String)
    }

    package let name: String
    let properties: [BusProperty]
    private(set) var presence = Presence.unasked
    /// One for each property; nil: it has not been read, or the service does not have it.
    package private(set) var values: [BusValue?]

    /// Called with true when it has an owner, a new one too, and with false when it has none any more.
    package var onPresence: ((Bool) -> Void)?
    /// Asks for a property; the answer arrives through `take`.
    package var onRead: ((BusService, Int) -> Void)?

    /// Replies that have not come yet, and the owners they were asked of, by number.
    private var awaited = 0
    package private(set) var generation = 0
    private var isStale = false
    private let changed: ChangeFlag

    /// When to ask once more a service that did not answer in time.
    package private(set) var retry = Instant.distantFuture
    private var patience = BusService.firstPatience
    private static let firstPatience = TimeSpan.seconds(30)
    private static let lastPatience = TimeSpan.minutes(30)

    package init(_ name: String, _ properties: [BusProperty], changed: ChangeFlag) {
        self.name = name
        self.properties = properties
        self.changed = changed
        values = Array(repeating: nil, count: properties.count)
    }

    var owner: String? {
        if case .owned(let owner) = presence { owner } else { nil }
    }

    /// Whether it is known to be absent, or has answered all requests.
    package var isSettled: Bool {
        switch presence {
        case .unasked: false
        case .absent: true
        case .owned: awaited == 0
        }
    }

    /// nil: the bus is gone; empty: the name has no owner.
    package func setOwner(_ new: String?) {
        let hadOwner = owner != nil
        guard let new, !new.isEmpty else {
            forget()
            presence = new == nil ? .unasked : .absent
            changed.raise()
            if hadOwner { onPresence?(false) }
            return
        }
        guard new != owner else { return }
        forget()
        presence = .owned(by: new)
        changed.raise()
        if hadOwner { onPresence?(false) }
        onPresence?(true)
        read()
    }

    private func forget() {
        generation += 1
        awaited = 0
        isStale = false
        retry = .distantFuture
        patience = Self.firstPatience
        for index in values.indices { values[index] = nil }
    }

    /// Reads all properties; when they are being read, once more afterwards.
    package func read() {
        guard owner != nil, !properties.isEmpty else { return }
        guard awaited == 0 else {
            isStale = true
            return
        }
        isStale = false
        retry = .distantFuture
        awaited = properties.count
        for index in properties.indices { onRead?(self, index) }
    }

    /// - Parameters:
    ///   - generation: when it was requested; answers from an earlier owner do not count.
    ///   - isLate: it did not answer in time.
    package func take(_ value: BusValue?, of index: Int, generation: Int, isLate: Bool, at now: ClockReading) {
        guard generation == self.generation else { return }
        awaited -= 1
        if values[index] != value {
            values[index] = value
            changed.raise()
        }
        if isLate {
            retry = now.instant + patience
        }
        guard awaited == 0 else { return }
        if retry == .distantFuture {
            patience = Self.firstPatience
        } else {
            patience = min(Self.lastPatience, patience + patience)
        }
        if isStale { read() }
    }

    package func advance(to now: ClockReading) {
        if retry <= now.instant { read() }
    }
}
