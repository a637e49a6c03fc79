/// How a run was confined. The texts should be of few kinds, so without process ids: the record keeps each for ever.
package struct RunSetup: Sendable, Hashable {
    /// The confinement that the worker reported; nil: none was launched.
    package var confinement: String?
    /// The limits that could not be enforced.
    package var degraded: [String]

    package init(confinement: String?, degraded: [String]) {
        self.confinement = confinement
        self.degraded = degraded
    }
}
