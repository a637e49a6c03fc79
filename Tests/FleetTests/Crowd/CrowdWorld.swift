import TestSupport

/// What hosts of the crowd install and are, and what of it a request may ask for.
enum CrowdWorld {
    private static let common = ["com.example.feeds", "com.example.photos", "com.example.index", "com.example.mail"]
    /// One host in ten installs each of them.
    private static let rare = (0..<5).map { "com.example.rare\($0)" }
    private static let rooms = ["attic", "cellar", "lab"]

    static func identifiers(of host: Int, _ random: inout SeededGenerator) -> [String] {
        // The first ones install everything.
        guard host > 2 else { return common + rare + [CrowdHost.poison] }
        let some = common.filter { _ in random.chance(0.7) }
        return (some.isEmpty ? [common[0]] : some) + rare.filter { _ in random.chance(0.1) }
            + (random.chance(0.3) ? [CrowdHost.poison] : [])
    }

    static func labels(_ random: inout SeededGenerator) -> [String: String] {
        var labels: [String: String] = [:]
        if let room = rooms.randomElement(using: &random) { labels["room"] = room }
        if random.chance(0.2) { labels["gpu"] = "yes" }
        return labels
    }

    /// A request that at least this host can run.
    static func wanted(of host: CrowdHost, _ random: inout SeededGenerator) -> (
        identifier: String, labels: [String: String]
    ) {
        let identifiers = host.identifiers.filter { $0 != CrowdHost.poison }
        let identifier = identifiers.randomElement(using: &random) ?? common[0]
        // Of few identifiers, so that claims have few queues to look into.
        guard common.prefix(2).contains(identifier) else { return (identifier, [:]) }
        return (identifier, host.labels.filter { _ in random.chance(0.3) })
    }
}
