/// The owner of a ready descriptor, packed into the 64 bits that epoll returns: kind, generation and index, so that a report
/// from before the owner's end is ignored. Public, because the compiler inlines nothing of a package into other modules.
public struct SourceKey {
    /// Whose descriptor it is.
    public enum Kind: UInt8 {
        case log = 1
        case errors = 9
        case wire = 2
        case emptiness = 3
        case memoryEvents = 6
        case zygote = 4
        case signal = 5
        /// Of an event source: `generation` is its number, `index` its own tag.
        case source = 7
        /// The store has news of turns that were late.
        case record = 8
    }

    /// Whose descriptor it is.
    public var kind: Kind
    /// The owner's place in its table.
    public var index: UInt32
    /// How often the place was taken before, in 24 bits.
    public var generation: UInt32

    /// Keeps 24 bits of the generation.
    @inlinable public init(_ kind: Kind, index: UInt32 = 0, generation: UInt32 = 0) {
        self.kind = kind
        self.index = index
        self.generation = generation & 0xFF_FFFF
    }

    /// From what epoll returned; nil: no key of ours.
    @inlinable public init?(_ bits: UInt64) {
        guard let kind = Kind(rawValue: UInt8(truncatingIfNeeded: bits >> 56)) else { return nil }
        self.init(kind, index: UInt32(truncatingIfNeeded: bits), generation: UInt32(truncatingIfNeeded: bits >> 32))
    }

    /// For epoll to return.
    @inlinable public var bits: UInt64 { UInt64(kind.rawValue) << 56 | UInt64(generation) << 32 | UInt64(index) }
}
