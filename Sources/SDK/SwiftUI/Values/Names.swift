/// What a button is for.
public struct ButtonRole: Equatable, Sendable {
    let name: String
    /// To delete.
    public static let destructive = ButtonRole(name: "destructive")
    /// To leave things as they are.
    public static let cancel = ButtonRole(name: "cancel")
    /// To agree.
    public static let confirm = ButtonRole(name: "confirm")
    /// To close.
    public static let close = ButtonRole(name: "close")
}

/// What a keyboard says on its last key.
public struct SubmitLabel: Sendable {
    let name: String
    /// Done.
    public static let done = SubmitLabel(name: "done")
    /// Go.
    public static let go = SubmitLabel(name: "go")
    /// Send.
    public static let send = SubmitLabel(name: "send")
    /// Join.
    public static let join = SubmitLabel(name: "join")
    /// Route.
    public static let route = SubmitLabel(name: "route")
    /// Search.
    public static let search = SubmitLabel(name: "search")
    /// Return.
    public static let `return` = SubmitLabel(name: "return")
    /// Next.
    public static let next = SubmitLabel(name: "next")
    /// Continue.
    public static let `continue` = SubmitLabel(name: "continue")
}

/// A place in a bar.
public struct ToolbarItemPlacement: Sendable {
    let name: String
    /// As usual.
    public static let automatic = ToolbarItemPlacement(name: "automatic")
    /// In the middle.
    public static let principal = ToolbarItemPlacement(name: "principal")
    /// With what leads elsewhere.
    public static let navigation = ToolbarItemPlacement(name: "navigation")
    /// With the most important action.
    public static let primaryAction = ToolbarItemPlacement(name: "primaryAction")
    /// With the other actions.
    public static let secondaryAction = ToolbarItemPlacement(name: "secondaryAction")
    /// With what agrees.
    public static let confirmationAction = ToolbarItemPlacement(name: "confirmationAction")
    /// With what leaves things as they are.
    public static let cancellationAction = ToolbarItemPlacement(name: "cancellationAction")
    /// With what deletes.
    public static let destructiveAction = ToolbarItemPlacement(name: "destructiveAction")
    /// With the state.
    public static let status = ToolbarItemPlacement(name: "status")
    /// At the bottom.
    public static let bottomBar = ToolbarItemPlacement(name: "bottomBar")
    /// At the top, where the text begins.
    public static let topBarLeading = ToolbarItemPlacement(name: "topBarLeading")
    /// At the top, where the text ends.
    public static let topBarTrailing = ToolbarItemPlacement(name: "topBarTrailing")
    /// At the top, where the text begins.
    public static let navigationBarLeading = ToolbarItemPlacement(name: "navigationBarLeading")
    /// At the top, where the text ends.
    public static let navigationBarTrailing = ToolbarItemPlacement(name: "navigationBarTrailing")
    /// Above the keyboard.
    public static let keyboard = ToolbarItemPlacement(name: "keyboard")
}

/// A bar.
public struct ToolbarPlacement: Sendable {
    let name: String
    /// As usual.
    public static let automatic = ToolbarPlacement(name: "automatic")
    /// At the top.
    public static let navigationBar = ToolbarPlacement(name: "navigationBar")
    /// That of the tabs.
    public static let tabBar = ToolbarPlacement(name: "tabBar")
    /// At the bottom.
    public static let bottomBar = ToolbarPlacement(name: "bottomBar")
}

/// A place for a field to search in.
public struct SearchFieldPlacement: Sendable {
    let name: String
    /// As usual.
    public static let automatic = SearchFieldPlacement(name: "automatic")
    /// In the bar.
    public static let toolbar = SearchFieldPlacement(name: "toolbar")
    /// In the sidebar.
    public static let sidebar = SearchFieldPlacement(name: "sidebar")
    /// At the top.
    public static let navigationBarDrawer = SearchFieldPlacement(name: "navigationBarDrawer")
    /// At the top.
    public static func navigationBarDrawer(displayMode: NavigationBarDrawerDisplayMode) -> SearchFieldPlacement {
        navigationBarDrawer
    }

    /// When the field is to be seen.
    public enum NavigationBarDrawerDisplayMode: Sendable {
        /// As usual.
        case automatic
        /// Always.
        case always
    }
}

/// A height of a sheet.
public struct PresentationDetent: Hashable, Sendable {
    let name: String
    /// Half of the screen.
    public static let medium = PresentationDetent(name: "medium")
    /// The whole screen.
    public static let large = PresentationDetent(name: "large")
    /// A height in points.
    public static func height(_ height: Double) -> PresentationDetent { PresentationDetent(name: "height \(height)") }
    /// A part of the screen, 0 to 1.
    public static func fraction(_ fraction: Double) -> PresentationDetent {
        PresentationDetent(name: "fraction \(fraction)")
    }
}

/// Keys for a control.
public struct KeyboardShortcut: Hashable, Sendable {
    let name: String
    /// Return.
    public static let defaultAction = KeyboardShortcut(name: "defaultAction")
    /// Escape.
    public static let cancelAction = KeyboardShortcut(name: "cancelAction")
}

/// What a view is like.
public struct AccessibilityTraits: Hashable, Sendable {
    let name: String
    /// A button.
    public static let isButton = AccessibilityTraits(name: "isButton")
    /// A header.
    public static let isHeader = AccessibilityTraits(name: "isHeader")
    /// Selected.
    public static let isSelected = AccessibilityTraits(name: "isSelected")
    /// A link.
    public static let isLink = AccessibilityTraits(name: "isLink")
    /// An image.
    public static let isImage = AccessibilityTraits(name: "isImage")
    /// A text.
    public static let isStaticText = AccessibilityTraits(name: "isStaticText")
    /// The only one that can be used.
    public static let isModal = AccessibilityTraits(name: "isModal")
    /// It changes often.
    public static let updatesFrequently = AccessibilityTraits(name: "updatesFrequently")
}

/// How a view is described.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    let name: String
    /// By itself.
    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    /// As a group.
    public static let contain = AccessibilityChildBehavior(name: "contain")
    /// By its parts.
    public static let combine = AccessibilityChildBehavior(name: "combine")
}
