import Foundation
import TestSupport

@testable import Fleet

/// The few connections that all hosts share. Each has a thread, which sends one statement after another: those of several
/// connections meet in the database. A host's number belongs to the login role, so that any of them may speak for any host.
final class CrowdPool: Sendable {
    private struct Order: Sendable {
        var number: Int
        var statement: ServerStatement
    }

    struct Answer: Sendable {
        var number: Int
        var answer: StatementAnswer
    }

    /// Of each connection.
    private let orders: [CrowdQueue<Order>]
    private let answers = CrowdQueue<Answer>()
    private let ends = CrowdQueue<Bool>()

    init(_ options: ConnectionOptions, size: Int) {
        orders = (0..<size).map { _ in CrowdQueue() }
        for orders in orders {
            Thread.detachNewThread { [answers, ends] in
                do throws(FleetError) {
                    let session = try FleetSession(options)
                    _ = session.answer(to: FleetStatement.limits)
                    while let order = orders.take() {
                        answers.put(Answer(number: order.number, answer: session.answer(to: order.statement)))
                    }
                } catch {
                    let fault = StatementFault(code: "08006", message: error.sentence)
                    while let order = orders.take() {
                        answers.put(Answer(number: order.number, answer: .refused(fault)))
                    }
                }
                ends.put(true)
            }
        }
    }

    /// - Parameter place: chooses the connection; the same number always chooses the same one.
    func send(_ number: Int, _ statement: ServerStatement, over place: Int) {
        orders[place % orders.count].put(Order(number: number, statement: statement))
    }

    /// The answers that are there; waits for the first one for so many seconds.
    func takeAnswers(within seconds: Double) -> [Answer] {
        answers.takeAll(until: Date(timeIntervalSinceNow: seconds))
    }

    /// Closes the connections when all that was sent is done.
    func finish() {
        for orders in orders { orders.close() }
        for _ in orders { _ = ends.take() }
    }
}
