package import TaskModel

/// The requests that several hosts share, and the leases under which each of them works on some: it stands beside the
/// `RecordStore`, which stays a host's own.
///
/// No call answers, waits or fails: what becomes of it comes as an event. Answers come in the order of the calls, and each call
/// has one, unless `outOfReach` or `reached` comes first: then the call may have been taken or not, and a repetition does no
/// harm. `ClaimLedger` decides what to call when, and what an event means.
///
/// A lease ends by the clock of the store. A host may take over what another one had as soon as that one's lease has ended, and
/// for no other reason. Each claim gives the request a new token; a completion counts if its token is the newest one.
///
/// Events may come late: the host ends what it runs before the end that a claim or a renewal states (`ClaimLedger.margin`). A
/// host that starts again holds nothing: it makes a new store, and what the dead one held is free when its leases have ended.
///
/// *Instants* are of the clock that counts the machine's sleep (CLOCK_BOOTTIME), as leases go on while it sleeps.
///
/// *Thread*: the one that made it.
package protocol ClaimStore: AnyObject {
    /// Shares a request with all hosts that install its identifier. The store keeps it before it says `submitted`.
    ///
    /// - Parameters:
    ///   - key: names the request in the fleet; the same key again changes nothing, and is answered as the first was.
    ///   - request: its terms, progress and payload count. Its `identity`, `submitted`, `running` and `trace` are a host's own
    ///     and do not travel.
    func submit(_ key: ULID, _ request: TaskRequest)

    /// Says what this host can start from now on. The wish stands until the next one, also while the store is out of reach;
    /// what was claimed under an earlier wish may still come. `ClaimWish.none` takes it back.
    func claim(_ wish: ClaimWish)

    /// Renews all these leases at once, before any claim that waits. `renewed` names those that go on, and a `leaseLost` before
    /// it each one that does not.
    ///
    /// - Parameter tokens: every lease that the host holds.
    func renew(_ tokens: [ClaimToken])

    /// Says what became of a claimed request. A superseded one changes nothing: it is answered with `isAccepted` false. The
    /// same one again is answered as the first was.
    ///
    /// - Parameter report: of its run, for the history.
    func complete(_ token: ClaimToken, _ end: ClaimEnd, _ report: ClaimReport)

    /// The oldest event that has not been taken; nil: there is none now.
    func takeEvent() -> ClaimEvent?

    /// Readable (poll(2)) while `takeEvent` has one; nil: events come only after calls. *Lifetime*: the store's.
    var eventDescriptor: Int32? { get }
}
