/// A view that does something when it is used. No user uses it: its actions are called by `sendActions(for:)`. Targets
/// and selectors do not exist on Linux.
open class UIControl: UIView {
    private var handlers: [(action: UIAction, events: Event)] = []
    /// Whether it can be used.
    open var isEnabled = true
    /// Whether it is chosen.
    open var isSelected = false
    /// Whether a finger is on it.
    open var isHighlighted = false
    /// Where its contents are, from top to bottom.
    open var contentVerticalAlignment = ContentVerticalAlignment.center
    /// Where its contents are, from left to right.
    open var contentHorizontalAlignment = ContentHorizontalAlignment.center
    /// Whether it shows its menu when it is used.
    open var showsMenuAsPrimaryAction = false
    /// What is said about it when a pointer stays on it.
    open var toolTip: String?
    /// Whether a finger is on it: never.
    open var isTracking: Bool { false }
    /// Its state, of the properties above.
    open var state: State {
        var state = State.normal
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        if isHighlighted { state.insert(.highlighted) }
        return state
    }
    /// The events that it has actions for.
    open var allControlEvents: Event { handlers.reduce([]) { $0.union($1.events) } }

    /// - Parameter frame: where it is.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        Screen.isMissing(for: type(of: self))
    }
    /// - Parameters:
    ///   - frame: where it is.
    ///   - primaryAction: called for the event `primaryActionTriggered`.
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// Has an action called for events. One of the same identifier is replaced, and is called for its events as well.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        if let place = handlers.firstIndex(where: { $0.action.identifier == action.identifier }) {
            handlers[place] = (action, handlers[place].events.union(controlEvents))
        } else {
            handlers.append((action, controlEvents))
        }
    }
    /// No longer has an action called for events.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(identifiedBy: action.identifier, for: controlEvents)
    }
    /// No longer has the action of this name called for events.
    open func removeAction(identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event) {
        guard let place = handlers.firstIndex(where: { $0.action.identifier == actionIdentifier }) else { return }
        handlers[place].events.subtract(controlEvents)
        if handlers[place].events.isEmpty { handlers.remove(at: place) }
    }
    /// Calls an action.
    open func sendAction(_ action: UIAction) { action.performWithSender(self, target: nil) }
    /// Calls the actions of any of the events, in the order in which they were added, on the calling thread.
    open func sendActions(for controlEvents: Event) {
        for handler in handlers where !handler.events.isDisjoint(with: controlEvents) { sendAction(handler.action) }
    }
    /// Calls the actions of `primaryActionTriggered`.
    open func performPrimaryAction() { sendActions(for: .primaryActionTriggered) }
}
