extension UIControl {
    /// What happens to a control.
    public struct Event: OptionSet, Sendable {
        /// The events as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the events as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// A finger comes down.
        public static let touchDown = Event(rawValue: 1)
        /// A finger comes down again.
        public static let touchDownRepeat = Event(rawValue: 2)
        /// It moves inside.
        public static let touchDragInside = Event(rawValue: 4)
        /// It moves outside.
        public static let touchDragOutside = Event(rawValue: 8)
        /// It moves in.
        public static let touchDragEnter = Event(rawValue: 16)
        /// It moves out.
        public static let touchDragExit = Event(rawValue: 32)
        /// It is lifted inside.
        public static let touchUpInside = Event(rawValue: 64)
        /// It is lifted outside.
        public static let touchUpOutside = Event(rawValue: 128)
        /// Something else takes the finger.
        public static let touchCancel = Event(rawValue: 256)
        /// The value has changed.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// It does what it is for.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// Its menu comes.
        public static let menuActionTriggered = Event(rawValue: 1 << 14)
        /// Writing begins.
        public static let editingDidBegin = Event(rawValue: 1 << 16)
        /// The text has changed.
        public static let editingChanged = Event(rawValue: 1 << 17)
        /// Writing ends.
        public static let editingDidEnd = Event(rawValue: 1 << 18)
        /// Writing ends by a key.
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
        /// All of fingers.
        public static let allTouchEvents = Event(rawValue: 0xFFF)
        /// All of writing.
        public static let allEditingEvents = Event(rawValue: 0xF0000)
        /// Those that an application may define.
        public static let applicationReserved = Event(rawValue: 0x0F00_0000)
        /// All.
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }

    /// The state of a control.
    public struct State: OptionSet, Hashable, Sendable {
        /// The states as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the states as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Nothing else.
        public static let normal: State = []
        /// A finger is on it.
        public static let highlighted = State(rawValue: 1)
        /// It cannot be used.
        public static let disabled = State(rawValue: 2)
        /// It is chosen.
        public static let selected = State(rawValue: 4)
        /// Keys go to it.
        public static let focused = State(rawValue: 8)
    }

    /// Where contents are, from top to bottom.
    public enum ContentVerticalAlignment: Int, Sendable {
        /// In the middle.
        case center = 0
        /// At the top.
        case top = 1
        /// At the bottom.
        case bottom = 2
        /// They fill it.
        case fill = 3
    }

    /// Where contents are, from left to right.
    public enum ContentHorizontalAlignment: Int, Sendable {
        /// In the middle.
        case center = 0
        /// On the left.
        case left = 1
        /// On the right.
        case right = 2
        /// They fill it.
        case fill = 3
        /// Where lines begin.
        case leading = 4
        /// Where lines end.
        case trailing = 5
    }
}
