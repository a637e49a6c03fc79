import Control
import Host
import TaskModel

// Applications that end.
extension HostAPI {
    /// A request to quit an application, which is answered when its processes have ended.
    struct Quit {
        var application: ApplicationIndex
        var exchange: Exchange
        /// Of the processes that it had; later ones do not count.
        var workers: [WorkerHandle]
        /// The answer does not wait any longer than this.
        var end: Instant
    }

    /// Longer than an application may take to end before it is killed.
    private static let patience = TimeSpan.seconds(30)

    func quit(_ application: ApplicationIndex, _ exchange: Exchange) {
        let workers = host.workers.table.living.filter { $0.application == application && !$0.ending.hasTreeExited }
        host.applications.quit(application)
        let quit = Quit(
            application: application, exchange: exchange, workers: workers.map(\.handle),
            // A virtual clock stands still until somebody moves it.
            end: host.decider.machine.instant + (host.decider.isVirtual ? .zero : Self.patience))
        // What the user decided is on disk in any case.
        host.afterCommit { [weak self] in
            self?.quits.append(quit)
            self?.settleQuits()
        }
    }

    /// Answers those whose processes have ended.
    func settleQuits() {
        guard !quits.isEmpty else { return }
        let now = host.decider.machine.instant
        quits.removeAll { quit in
            let hasEnded = !quit.workers.contains { host.workers.table[$0].map { !$0.ending.hasTreeExited } ?? false }
            guard hasEnded || quit.end <= now else { return false }
            quit.exchange.reply(applicationDocument(quit.application))
            return true
        }
    }

    func refuseQuits() {
        for quit in quits { quit.exchange.refuse(.conflict("the host is stopping; quit")) }
        quits.removeAll()
    }
}
