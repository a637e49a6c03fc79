/// Tells subscribers and subscriptions apart.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
    private static let last = Guarded<UInt>(0)
    /// Numbers and addresses of objects are different ones.
    private enum Kind: Hashable {
        case number(UInt)
        case object(ObjectIdentifier)
    }
    private let kind: Kind

    /// A new one.
    public init() {
        kind = .number(
            Self.last.change { last in
                last += 1
                return last
            })
    }

    /// That of an object, while it exists.
    public init(_ object: AnyObject) { kind = .object(ObjectIdentifier(object)) }

    /// The number, or the address.
    public var description: String {
        switch kind {
        case .number(let number): "\(number)"
        case .object(let object): "0x" + String(UInt(bitPattern: object), radix: 16)
        }
    }
}

/// Something that has an identifier.
public protocol CustomCombineIdentifierConvertible {
    /// Tells it from others; that of an object is its own by default.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// That of the object.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
