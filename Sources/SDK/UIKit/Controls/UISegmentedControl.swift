/// A control of which one part is chosen. Stores its values.
open class UISegmentedControl: UIControl {
    /// Stands for no part.
    public class var noSegment: Int { -1 }
    private var parts: [Any] = []
    /// The part that is chosen; -1 for none. Setting it calls no actions.
    open var selectedSegmentIndex = UISegmentedControl.noSegment
    /// Whether parts are chosen only for a moment.
    open var isMomentary = false
    /// The colour of the part that is chosen.
    open var selectedSegmentTintColor: UIColor?
    /// How many parts it has.
    open var numberOfSegments: Int { parts.count }
    /// - Parameter items: the parts' titles or pictures.
    public convenience init(items: [Any]?) {
        self.init(frame: .zero)
        parts = items ?? []
    }
    /// Inserts a part.
    open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) {
        parts.insert(title ?? "", at: min(max(0, segment), parts.count))
    }
    /// Takes a part away.
    open func removeSegment(at segment: Int, animated: Bool) {
        if parts.indices.contains(segment) { parts.remove(at: segment) }
    }
    /// Takes all parts away.
    open func removeAllSegments() { parts = [] }
    /// Sets the title of a part.
    open func setTitle(_ title: String?, forSegmentAt segment: Int) {
        if parts.indices.contains(segment) { parts[segment] = title ?? "" }
    }
    /// The title of a part; nil for one with a picture.
    open func titleForSegment(at segment: Int) -> String? {
        parts.indices.contains(segment) ? parts[segment] as? String : nil
    }
}
