package import TaskModel

/// Names one claim of a request. No two claims of one request have the same number, and a later one has a higher number: whoever
/// takes effects of runs in order can refuse those of an earlier claim.
package struct ClaimToken: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// The key with which the request was submitted.
    package var key: ULID
    /// 1 for the first claim.
    package var number: Int64

    package init(key: ULID, number: Int64) {
        self.key = key
        self.number = number
    }

    package static func < (a: ClaimToken, b: ClaimToken) -> Bool {
        a.key != b.key ? a.key < b.key : a.number < b.number
    }
}
