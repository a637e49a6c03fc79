import JSON

/// Labels of hosts and of requests: an object of strings.
enum FleetLabels {
    static func json(_ labels: [String: String]) -> String {
        JSONOutput.object(labels.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }).text()
    }
}
