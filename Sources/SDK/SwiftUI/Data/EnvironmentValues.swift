internal import Synchronization

/// A value of the environment.
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// The value of an environment that sets none.
    static var defaultValue: Value { get }
}

/// The values that views and scenes inherit. Those of the application are the defaults, with its phase.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// The defaults.
    public init() {}

    /// The value of a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// How much of the application is in front.
    public var scenePhase: ScenePhase = .background
    /// The user's languages and formats.
    public var locale = Locale.current
    /// The user's calendar.
    public var calendar = Calendar.current
    /// The user's time zone.
    public var timeZone = TimeZone.current
    /// Light.
    public var colorScheme = ColorScheme.light
    /// Whether controls can be used.
    public var isEnabled = true
    /// Whether a view is presented: never.
    public var isPresented: Bool { false }
    /// Removes a view that is presented: does nothing.
    public var dismiss: DismissAction { DismissAction() }
    /// Opens a URL: nothing is opened.
    public var openURL = OpenURLAction()
    /// Opens a window: nothing is opened.
    public var openWindow: OpenWindowAction { OpenWindowAction() }
    /// Reloads what a view shows: there is nothing.
    public var refresh: RefreshAction? { nil }
    /// The presentation of a view: there is none.
    public var presentationMode: Binding<PresentationMode> { .constant(PresentationMode()) }
    /// Whether a list is edited: there is none.
    public var editMode: Binding<EditMode>?
    /// The width that there is: nil.
    public var horizontalSizeClass: UserInterfaceSizeClass?
    /// The height that there is: nil.
    public var verticalSizeClass: UserInterfaceSizeClass?
    /// The size of text.
    public var dynamicTypeSize = DynamicTypeSize.large
    /// The direction of text.
    public var layoutDirection = LayoutDirection.leftToRight
    /// Pixels of a point.
    public var displayScale: CGFloat = 1
    /// Whether motion is reduced.
    public var accessibilityReduceMotion: Bool { false }
}

/// The application's values, which `Environment` reads.
enum ApplicationEnvironment {
    private static let phase = Mutex(ScenePhase.background)

    static func set(_ new: ScenePhase) { phase.withLock { $0 = new } }

    static var values: EnvironmentValues {
        var values = EnvironmentValues()
        values.scenePhase = phase.withLock { $0 }
        return values
    }
}
