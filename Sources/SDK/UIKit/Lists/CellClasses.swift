internal import TaskHostRuntime

/// The classes that a list has been given for its cells, by identifier.
@MainActor struct CellClasses {
    private var classes: [String: AnyClass] = [:]

    mutating func register(_ cell: AnyClass?, for identifier: String) { classes[identifier] = cell }

    /// A new cell of the class of the identifier, by the initializer that its class has for a frame. Nil when none is
    /// registered, or Foundation is built in a way that does not let the framework make objects.
    func make<Cell: UIView>(_ identifier: String) -> Cell? {
        guard let type = classes[identifier] as? Cell.Type else { return nil }
        return ObjectMaker.make(type) as? Cell
    }

    /// A new view of a class, by the initializer that it has for a frame.
    static func make<Cell: UIView>(_ type: Cell.Type) -> Cell {
        if let made = ObjectMaker.make(type) as? Cell { return made }
        Misuse.trap(
            "a \(type) cannot be made",
            advice: "this Foundation does not let the framework make objects; make the view in the application")
    }
}
