import Record
import TaskModel
import TestSupport

@testable import Fleet

/// The store of one life of a host: the real statements, over the connections that all hosts share. Those of leases and ends go
/// one after another, beside its claims, which have one connection, as with the two of a real host. Some statements are lost,
/// before or after the database has carried them out, or reach it when nobody waits for them any more: then the host is out of
/// reach for a while.
final class CrowdClaims: ClaimStore {
    private struct Call {
        var statement: ServerStatement
        var then: (StatementAnswer) -> Void
    }

    private unowned let crowd: Crowd
    private unowned let host: CrowdHost
    /// nil: it has not joined yet.
    private(set) var number: String?
    private var wish = ClaimWish.none
    private var calls: [Call] = []
    private var isBusy = false
    private var isLooking = false
    private(set) var isReached = false
    /// Answers to an earlier one are not heard.
    private var connection = 0
    private var events: [ClaimEvent] = []
    /// The host's process is gone.
    private var isGone = false

    init(_ crowd: Crowd, _ host: CrowdHost) {
        self.crowd = crowd
        self.host = host
        join()
    }

    // MARK: Its life

    private func join() {
        guard !isGone else { return }
        if crowd.isTroubled, host.random.chance(0.02) {
            // A life of which nobody hears.
            crowd.count.unheard += 1
            crowd.send(FleetStatement.join(host.member)) { _ in }
            return crowd.later(.milliseconds(20)) { [self] in join() }
        }
        crowd.send(FleetStatement.join(host.member)) { [self] answer in
            guard !isGone, let row = crowd.rows(of: answer).first, let text = row[0], let given = Int64(text) else {
                return
            }
            number = text
            crowd.history.lives[given] = host.index
            reach()
        }
    }

    private func reach() {
        guard !isGone else { return }
        isReached = true
        tell(.reached)
    }

    /// The connection breaks: whatever is under way gets no answer.
    func cut(for span: TimeSpan) {
        guard isReached else { return }
        crowd.count.cuts += 1
        disconnect()
        tell(.outOfReach)
        crowd.later(span) { [self] in reach() }
    }

    func die() {
        isGone = true
        disconnect()
    }

    private func disconnect() {
        if let number = number.flatMap({ Int64($0) }) { crowd.history.deaf.insert(number) }
        connection += 1
        calls.removeAll()
        (isBusy, isLooking, isReached) = (false, false, false)
    }

    // MARK: Calls

    func submit(_ key: ULID, _ request: TaskRequest) {
        ask(FleetStatement.submit(key, request)) { [self] answer in
            guard !crowd.rows(of: answer).isEmpty else { return }
            tell(.submitted(key))
        }
    }

    func claim(_ wish: ClaimWish) { self.wish = wish }

    func renew(_ tokens: [ClaimToken]) {
        guard let number else { return }
        let end = CrowdClock.now.instant + host.lease
        crowd.count.renewals += 1
        ask(FleetStatement.renew(number, tokens, host.lease)) { [self] answer in
            let kept = Set(crowd.rows(of: answer).compactMap(ClaimToken.init(row:)))
            for token in tokens where !kept.contains(token) { tell(.leaseLost(token)) }
            if !kept.isEmpty { tell(.renewed(tokens.filter(kept.contains), end: end)) }
        }
    }

    func complete(_ token: ClaimToken, _ end: ClaimEnd, _ report: ClaimReport) {
        guard let number else { return }
        ask(FleetStatement.complete(number, token, end, report)) { [self] answer in
            tell(.completed(token, isAccepted: crowd.rows(of: answer).first?.first == "t"))
        }
    }

    private func ask(_ statement: ServerStatement, then: @escaping (StatementAnswer) -> Void) {
        guard isReached, !isLost(statement) else { return }
        calls.append(Call(statement: statement, then: then))
        pump()
    }

    /// Some calls break the connection: the database carries them out, or never gets them, or gets them late.
    private func isLost(_ statement: ServerStatement, over place: Int? = nil) -> Bool {
        guard crowd.isTroubled, host.random.chance(0.025) else { return false }
        switch Int.random(in: 0..<3, using: &host.random) {
        case 0: crowd.count.unsent += 1
        case 1:
            crowd.count.unheard += 1
            crowd.send(statement, over: place) { _ in }
        default:
            crowd.count.unheard += 1
            crowd.send(statement, over: place, after: trouble())
        }
        cut(for: trouble())
        return true
    }

    /// The lease ends in the longer half of it.
    private func trouble() -> TimeSpan { host.random.span(.milliseconds(20), host.lease + host.lease) }

    private func pump() {
        guard !isBusy, !calls.isEmpty else { return }
        let call = calls.removeFirst()
        isBusy = true
        let connection = connection
        crowd.send(call.statement) { [self] answer in
            guard connection == self.connection else { return }
            isBusy = false
            call.then(answer)
            pump()
        }
    }

    // MARK: Claims

    /// It would ask for requests.
    var isWilling: Bool { isReached && !isLooking && wish.most > 0 && !wish.identifiers.isEmpty }

    /// Asks for what fits the wish, once.
    func look() {
        guard isWilling, let number else { return }
        let lease = host.lease
        let statement = FleetStatement.claim(number, .array(wish.identifiers.sorted()), most: wish.most, lease)
        guard !isLost(statement, over: host.index) else { return }
        isLooking = true
        let end = CrowdClock.now.instant + lease
        let (connection, drained) = (connection, host.drained)
        crowd.send(statement, over: host.index) { [self] answer in
            guard connection == self.connection else { return }
            isLooking = false
            for row in crowd.rows(of: answer) {
                guard let claim = Claim(row: row, lease: lease, end: end) else {
                    crowd.history.refusals.append("a claim that cannot be read: \(row)")
                    continue
                }
                if drained != nil, drained == host.drained { crowd.history.drained.append(claim.token) }
                tell(.claimed(claim))
            }
        }
    }

    // MARK: Events

    func takeEvent() -> ClaimEvent? { events.isEmpty ? nil : events.removeFirst() }

    var eventDescriptor: Int32? { nil }

    private func tell(_ event: ClaimEvent) {
        if events.isEmpty { crowd.wake(host) }
        events.append(event)
    }
}
