/// How a controller is presented.
public enum UIModalPresentationStyle: Int, Sendable {
    /// Over the whole screen.
    case fullScreen = 0
    /// Over most of it.
    case pageSheet = 1
    /// In the middle of it.
    case formSheet = 2
    /// Over the controller that presents it.
    case currentContext = 3
    /// As the application says.
    case custom = 4
    /// Over the whole screen, with what is below.
    case overFullScreen = 5
    /// Over the controller that presents it, with what is below.
    case overCurrentContext = 6
    /// In a bubble.
    case popover = 7
    /// Not.
    case none = -1
    /// As the system likes.
    case automatic = -2
}

/// How a presented controller comes and goes.
public enum UIModalTransitionStyle: Int, Sendable {
    /// From below.
    case coverVertical = 0
    /// By turning.
    case flipHorizontal = 1
    /// By fading.
    case crossDissolve = 2
    /// By turning a page.
    case partialCurl = 3
}

/// How the bar with the clock looks.
public enum UIStatusBarStyle: Int, Sendable {
    /// By the style of the interface.
    case `default` = 0
    /// Light on dark.
    case lightContent = 1
    /// Dark on light.
    case darkContent = 3
}
