/// A worker within one host: a slot of the engine's table and the generation that lived in it.
package struct WorkerHandle: Hashable, Sendable, BitwiseCopyable {
    package var index: UInt32
    package var generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}
