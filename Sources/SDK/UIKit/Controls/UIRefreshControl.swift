/// The control by which the user asks for new contents. Stores its values.
open class UIRefreshControl: UIControl {
    /// Whether new contents are on their way, as the application says.
    open private(set) var isRefreshing = false
    /// Its title.
    open var attributedTitle: NSAttributedString?
    /// New contents are on their way; calls no actions.
    open func beginRefreshing() { isRefreshing = true }
    /// New contents have come.
    open func endRefreshing() { isRefreshing = false }
}
