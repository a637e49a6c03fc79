/// Builds the menus of an application. A worker has no menus: nothing passes one to `buildMenu(with:)`, and commands
/// with selectors do not exist on Linux.
@preconcurrency @MainActor public protocol UIMenuBuilder {
    /// The menus that are built.
    var system: UIMenuSystem { get }
    /// The menu of this name.
    func menu(for identifier: UIMenu.Identifier) -> UIMenu?
    /// The action of this name.
    func action(for identifier: UIAction.Identifier) -> UIAction?
    /// Puts another menu in the place of one.
    func replace(menu replacedIdentifier: UIMenu.Identifier, with replacementMenu: UIMenu)
    /// Puts other elements into a menu.
    func replaceChildren(
        ofMenu parentIdentifier: UIMenu.Identifier, from childrenBlock: ([UIMenuElement]) -> [UIMenuElement])
    /// Inserts a menu before another.
    func insertSibling(_ siblingMenu: UIMenu, beforeMenu siblingIdentifier: UIMenu.Identifier)
    /// Inserts a menu after another.
    func insertSibling(_ siblingMenu: UIMenu, afterMenu siblingIdentifier: UIMenu.Identifier)
    /// Inserts a menu as the first of another.
    func insertChild(_ childMenu: UIMenu, atStartOfMenu parentIdentifier: UIMenu.Identifier)
    /// Inserts a menu as the last of another.
    func insertChild(_ childMenu: UIMenu, atEndOfMenu parentIdentifier: UIMenu.Identifier)
    /// Takes a menu away.
    func remove(menu removedIdentifier: UIMenu.Identifier)
}

/// A set of menus.
@preconcurrency @MainActor open class UIMenuSystem: NSObject {
    /// The menus of the application.
    public static let main = UIMenuSystem()
    /// The menus where something was pressed.
    public static let context = UIMenuSystem()
    /// Does nothing: there are no menus.
    open func setNeedsRebuild() {}
    /// Does nothing: there are no menus.
    open func setNeedsRevalidate() {}
}
