/// What an observer is told.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The change has the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The change has the value before it; that of the call for `initial` has none.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The handler is called once before `observe` returns.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// On iOS the handler is called before each change too.
    @available(*, unavailable, message: "a handler is called after a change alone; its 'oldValue' is the value before")
    public static var prior: NSKeyValueObservingOptions { [] }
}

/// What has happened to a value.
public enum NSKeyValueChange: UInt, Sendable {
    /// It is another one. The only kind here.
    case setting = 1
    /// Elements were added to it.
    case insertion = 2
    /// Elements were removed from it.
    case removal = 3
    /// Elements of it were replaced.
    case replacement = 4
}

/// A change of an observed value.
public struct NSKeyValueObservedChange<Value> {
    /// What has happened to a value.
    public typealias Kind = NSKeyValueChange
    /// What has happened to it: always `setting`.
    public let kind: Kind
    /// The value after the change; nil without the option `new`.
    public let newValue: Value?
    /// The value before the change; nil without the option `old`, and for the call of `initial`.
    public let oldValue: Value?
    /// nil: an observed value has no elements.
    public let indexes: IndexSet?
    /// False: a handler is called after a change.
    public let isPrior: Bool

    init(newValue: Value?, oldValue: Value?) {
        kind = .setting
        self.newValue = newValue
        self.oldValue = oldValue
        indexes = nil
        isPrior = false
    }
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
