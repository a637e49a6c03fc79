/// A request while the scheduler knows it: a slot and its generation, so that a handle of a forgotten one misses.
package struct RequestHandle: Hashable, Sendable, BitwiseCopyable {
    package var index: UInt32
    package var generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}
