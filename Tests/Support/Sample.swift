import Glibc

/// How much of what is large only in number a run of the tests plays. Every kind stays; `TASKHOST_FULL` in the environment plays
/// the whole, as `.ci/full` does.
package enum Sample {
    package static let isWhole = getenv("TASKHOST_FULL") != nil

    /// The number in `TASKHOST_SAMPLE`, which `Tools/test.sh` draws from the commit's tree; 1 without it. The same number draws the
    /// same samples.
    package static let seed = getenv("TASKHOST_SAMPLE").flatMap { UInt64(String(cString: $0)) } ?? 1

    /// Of what a usual run plays, `TASKHOST_SHARE` in the environment plays this part: 4 is a quarter, as in `make test-quick`.
    private static let share = getenv("TASKHOST_SHARE").flatMap { Int(String(cString: $0)) }.map { max(1, $0) } ?? 1

    /// A run plays less than usual: what it does not meet says nothing.
    package static let isPart = share > 1

    /// How often to do what is done `whole` times in the whole; at least once.
    package static func count(_ few: Int, of whole: Int) -> Int { isWhole ? whole : max(1, min(few, whole) / share) }

    /// `most` of them, drawn by the seed, and of each kind at least one. It prints how many.
    package static func draw<Element>(
        _ elements: [Element], most: Int, _ name: String, kind: (Element) -> String = { _ in "" }
    ) -> [Element] {
        guard !isWhole, elements.count > most else { return elements }
        print("\(name): \(most) of \(elements.count), TASKHOST_SAMPLE=\(seed)")
        var generator = SeededGenerator(seed: seed)
        var drawn: [Element] = []
        var others: [Element] = []
        var kinds: Set<String> = []
        for element in elements.shuffled(using: &generator) {
            if kinds.insert(kind(element)).inserted { drawn.append(element) } else { others.append(element) }
        }
        return drawn + others.prefix(max(0, most - drawn.count))
    }
}
