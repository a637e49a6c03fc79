/// A file of views: there is none. Where cells are registered with one, plain cells are made.
@preconcurrency @MainActor open class UINib: NSObject {
    /// - Parameters:
    ///   - name: of no effect.
    ///   - bundleOrNil: of no effect.
    public init(nibName name: String, bundle bundleOrNil: Bundle?) {
        Storyboards.areMissing()
        super.init()
    }
    /// Nothing.
    open func instantiate(withOwner ownerOrNil: Any?, options optionsOrNil: [OptionsKey: Any]? = nil) -> [Any] { [] }
    /// Options of `instantiate`.
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key as text.
        public let rawValue: String
        /// - Parameter rawValue: the key as text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Objects that the file refers to.
        public static let externalObjects = OptionsKey(rawValue: "UINibExternalObjects")
    }
}

extension UITableView {
    /// Does nothing: a plugin has no nib files.
    public func register(_ nib: UINib?, forHeaderFooterViewReuseIdentifier identifier: String) {}
}

extension UICollectionView {
    /// Does nothing: a plugin has no nib files.
    public func register(
        _ nib: UINib?, forSupplementaryViewOfKind kind: String, withReuseIdentifier identifier: String
    ) {}
}

extension Bundle {
    /// Nil: a plugin has no nib files, and the first use of one in a process adds a line to the journal.
    /// - Parameters:
    ///   - name: of no effect.
    ///   - owner: of no effect.
    ///   - options: of no effect.
    @MainActor public func loadNibNamed(
        _ name: String, owner: Any?, options: [UINib.OptionsKey: Any]? = nil
    ) -> [Any]? {
        Storyboards.areMissing()
        return nil
    }
}
