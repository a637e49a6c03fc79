/// What happened in a simulation.
struct CrowdCount {
    var statements = 0
    var submissions = 0
    var shared = 0
    var claims = 0
    /// Claims of what another host had left without a word.
    var takenOver = 0
    var renewals = 0
    var fenced = 0
    var taken = 0
    var ended = 0
    var returned = 0
    var unharmed = 0
    var accepted = 0
    var superseded = 0
    var cancelled = 0
    var drains = 0
    var deaths = 0
    /// Ends that a host told in its next life.
    var repeated = 0
    var stops = 0
    var shortages = 0
    var cuts = 0
    /// Statements that were carried out and not heard, and those that never came.
    var unheard = 0
    var unsent = 0
    var released = 0
    /// Submissions with a time, those that changed one that waited, and those for which one was there already.
    var early = 0
    var replaced = 0
    var kept = 0
    /// Rows of the history: leases that ended without a word, and ends that came too late.
    var leasesLost = 0
    var tooLate = 0

    /// What only the whole history tells.
    mutating func note(_ history: CrowdHistory) {
        let first = Dictionary(history.changes.map { ($0.key, $0.payload) }) { first, _ in first }
        for submission in history.submissions {
            guard let key = submission.key, let payload = first[key], payload != "\(submission.number)" else {
                continue
            }
            if submission.policy == "keep" { kept += 1 } else { replaced += 1 }
        }
        leasesLost = history.runs.count { $0.outcome == "leaseLost" }
        tooLate = history.runs.count { !$0.accepted && $0.outcome != "leaseLost" }
    }

    var sentence: String {
        "\(statements) statements, \(submissions) submissions (\(shared) of hosts, \(early) with a time, \(kept) kept out, "
            + "\(replaced) in another's place), \(claims) claims (\(takenOver) taken over), \(renewals) renewals, "
            + "\(ended) ends, \(returned) returns (\(unharmed) unharmed), \(fenced) fenced, \(taken) taken, "
            + "\(accepted) accepted, \(superseded) superseded, \(cancelled) cancelled, \(drains) drains, "
            + "\(deaths) deaths (\(repeated) ends repeated), \(stops) stops, \(shortages) shortages, \(cuts) cuts, "
            + "\(unheard) unheard, \(unsent) unsent, \(released) released, \(leasesLost) leases lost, "
            + "\(tooLate) ends too late"
    }
}
