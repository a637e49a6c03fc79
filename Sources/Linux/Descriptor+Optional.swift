extension Optional where Wrapped == Descriptor {
    /// The raw number of a descriptor that may be missing. Plain `?.` would consume the descriptor.
    package var number: Int32? {
        switch self {
        case .some(let descriptor): descriptor.number
        case .none: nil
        }
    }
}
