// What a host shows of its whole fleet. It is asked for on the connection of the claims: renewals wait behind none of it.
extension PostgresClaims {
    /// Requests of each sort in an overview.
    package static let mostShown = 200

    /// The fleet as it is now.
    ///
    /// - Parameter answer: is called once, on the loop's thread; with nil if the database does not answer, or refuses.
    package func overview(_ answer: @escaping (FleetOverview?) -> Void) {
        question(answer) { answered in
            var (hosts, leased): ([FleetHostRow]?, [FleetRequestRow]?)
            search.ask(FleetHostRow.statement) { hosts = $0.rows?.compactMap(FleetHostRow.init) }
            search.ask(Self.requests(where: "leased", by: "free")) {
                leased = $0.rows?.compactMap(FleetRequestRow.init)
            }
            search.ask(Self.requests(where: "ended IS NULL AND NOT leased", by: "key")) {
                guard let hosts, let leased, let waiting = $0.rows?.compactMap(FleetRequestRow.init) else {
                    return answered(nil)
                }
                answered(FleetOverview(hosts: hosts, leased: leased, waiting: waiting))
            }
        }
    }

    private static func requests(where condition: String, by order: String) -> ServerStatement {
        FleetRequestRow.statement(where: condition, by: order, limit: mostShown)
    }

    /// For how long the oldest request of each identifier has waited to be claimed, by the database's clock, in seconds; one without
    /// any is left out.
    ///
    /// - Parameter answer: as of `overview`.
    package func oldestRequests(of identifiers: [String], _ answer: @escaping ([String: Double]?) -> Void) {
        question(answer) { answered in
            search.ask(FleetStatement.oldest(identifiers)) {
                answered(
                    $0.rows?.reduce(into: [:]) { ages, row in
                        guard row.count == 2, let name = row[0] else { return }
                        ages[name] = row[1].flatMap(Double.init)
                    })
            }
        }
    }

    /// Asks something, and answers with nil when the connection breaks before the answer.
    private func question<Answer>(
        _ answer: @escaping (Answer?) -> Void, _ ask: (@escaping (Answer?) -> Void) -> Void
    ) {
        guard isReached, isListening else { return answer(nil) }
        lastQuestion += 1
        let number = lastQuestion
        questions[number] = { answer(nil) }
        ask { [unowned self] in
            if questions.removeValue(forKey: number) != nil { answer($0) }
        }
    }

    /// No answer comes any more.
    func endQuestions() {
        let unanswered = questions.sorted { $0.key < $1.key }
        questions.removeAll()
        for (_, end) in unanswered { end() }
    }
}
