package import Record

extension ClaimStore {
    /// The end of a claim of which there is nothing to tell beside.
    package func complete(_ token: ClaimToken, _ end: ClaimEnd) { complete(token, end, .none) }
}
