/// A screen: none.
open class UIScreen: NSObject, @unchecked Sendable {  // immutable
    /// No screen, of no size.
    open class var main: UIScreen { single }
    private static let single = UIScreen()
    /// Nothing.
    open var bounds: CGRect { .zero }
    /// 1.
    open var scale: CGFloat { 1 }
}
