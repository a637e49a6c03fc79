extension UICollectionView {
    /// A class of cells and what sets one up for an item.
    @preconcurrency @MainActor public struct CellRegistration<Cell: UICollectionViewCell, Item> {
        /// What sets a cell up.
        public typealias Handler = (Cell, IndexPath, Item) -> Void
        let handler: Handler
        /// - Parameter handler: what sets a cell up.
        public init(handler: @escaping Handler) { self.handler = handler }
    }

    /// A class of headers, footers or other views beside the cells, and what sets one up.
    @preconcurrency @MainActor public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
        /// What sets a view up.
        public typealias Handler = (Supplementary, String, IndexPath) -> Void
        let kind: String
        let handler: Handler
        /// - Parameters:
        ///   - elementKind: the kind of the views.
        ///   - handler: what sets a view up.
        public init(elementKind: String, handler: @escaping Handler) { (kind, self.handler) = (elementKind, handler) }
    }

    /// A new cell of the registration's class, set up for an item.
    public func dequeueConfiguredReusableCell<Cell, Item>(
        using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
    ) -> Cell {
        let cell = CellClasses.make(Cell.self)
        if let item { registration.handler(cell, indexPath, item) }
        return cell
    }

    /// A new view of the registration's class, set up for a place.
    public func dequeueConfiguredReusableSupplementary<Supplementary>(
        using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
    ) -> Supplementary {
        let view = CellClasses.make(Supplementary.self)
        registration.handler(view, registration.kind, indexPath)
        return view
    }
}
