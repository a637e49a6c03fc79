// Runs in ClientNames.
import UIKit

/// Controllers that are named as in their storyboard.
protocol StoryboardInstantiable: UIViewController {
    static var storyboardName: String { get }
}

extension StoryboardInstantiable {
    static var storyboardName: String { String(describing: self) }

    static func instantiate(bundle: Bundle? = nil, creator: ((NSCoder) -> Self?)? = nil) -> Self {
        UIStoryboard(name: storyboardName, bundle: bundle)
            .instantiateViewController(identifier: storyboardName, creator: creator)
    }
}

extension UIStoryboard {
    static var main: UIStoryboard { UIStoryboard(name: "Main", bundle: Bundle.main) }
}

final class FirstScreen: UIViewController, StoryboardInstantiable {
    let items: [String]

    init?(coder: NSCoder, items: [String]) {
        self.items = items
        super.init(coder: coder)
    }

    required init?(coder: NSCoder) {
        items = []
        super.init(coder: coder)
    }

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
        segue.destination.title = items.first
    }
}

/// The delegate of an application that began before Swift 4.2, with what came later.
class StoryboardDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private(set) var isMirrored: Bool?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        application.setMinimumBackgroundFetchInterval(UIApplicationBackgroundFetchIntervalMinimum)
        window = UIWindow(frame: UIScreen.main.bounds)
        let root = UIStoryboard.main.instantiateInitialViewController() as? UINavigationController
        let navigation = root ?? UINavigationController()
        navigation.viewControllers = [FirstScreen.instantiate { FirstScreen(coder: $0, items: ["one", "two"]) }]
        window?.rootViewController = navigation
        window?.makeKeyAndVisible()
        isMirrored = application.userInterfaceLayoutDirection == .rightToLeft
        if let url = launchOptions?[UIApplicationLaunchOptionsKey.url] as? URL { print("opened by", url) }
        if launchOptions?[.remoteNotification] != nil { print("opened by a notification") }
        return true
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { Self.configuration(for: connectingSceneSession.role) }

    static func configuration(for role: UISceneSession.Role) -> UISceneConfiguration {
        switch role {
        case UISceneSession.Role.carTemplateApplication:
            return UISceneConfiguration(name: "CarPlay", sessionRole: .carTemplateApplication)
        default:
            return UISceneConfiguration(name: "Default Configuration", sessionRole: role)
        }
    }

    override func buildMenu(with builder: UIMenuBuilder) {
        super.buildMenu(with: builder)
        guard builder.system == .main else { return }
        builder.remove(menu: .format)
        builder.insertChild(
            UIMenu(title: "", options: .displayInline, children: [UIAction(title: "Refresh") { _ in }]),
            atStartOfMenu: .file)
    }
}

/// Builds menus as a test of the delegate would.
private final class RecordedMenus: UIMenuBuilder {
    var system = UIMenuSystem.main
    private(set) var removed: [UIMenu.Identifier] = []
    private(set) var inserted: [UIMenu] = []

    func menu(for identifier: UIMenu.Identifier) -> UIMenu? { nil }
    func action(for identifier: UIAction.Identifier) -> UIAction? { nil }
    func replace(menu replacedIdentifier: UIMenu.Identifier, with replacementMenu: UIMenu) {}
    func replaceChildren(
        ofMenu parentIdentifier: UIMenu.Identifier, from childrenBlock: ([UIMenuElement]) -> [UIMenuElement]
    ) {}
    func insertSibling(_ siblingMenu: UIMenu, beforeMenu siblingIdentifier: UIMenu.Identifier) {}
    func insertSibling(_ siblingMenu: UIMenu, afterMenu siblingIdentifier: UIMenu.Identifier) {}
    func insertChild(_ childMenu: UIMenu, atStartOfMenu parentIdentifier: UIMenu.Identifier) { inserted += [childMenu] }
    func insertChild(_ childMenu: UIMenu, atEndOfMenu parentIdentifier: UIMenu.Identifier) {}
    func remove(menu removedIdentifier: UIMenu.Identifier) { removed += [removedIdentifier] }
}

@MainActor
func tryStoryboardDelegate(_ delegate: StoryboardDelegate) {
    let navigation = delegate.window?.rootViewController as? UINavigationController
    let first = navigation?.topViewController as? FirstScreen
    precondition(first?.items == ["one", "two"] && delegate.isMirrored == false)
    let plain = FirstScreen.instantiate()
    precondition(plain.items.isEmpty)
    let segue = UIStoryboardSegue(identifier: "show", source: first!, destination: plain)
    first?.prepare(for: segue, sender: nil)
    precondition(plain.title == "one")
    let car = StoryboardDelegate.configuration(for: .carTemplateApplication)
    precondition(car.name == "CarPlay" && car.role == .carTemplateApplication)
    precondition(StoryboardDelegate.configuration(for: .windowApplication).name == "Default Configuration")
    let menus = RecordedMenus()
    delegate.buildMenu(with: menus)
    precondition(menus.removed == [.format] && menus.inserted.first?.children.count == 1)
}
