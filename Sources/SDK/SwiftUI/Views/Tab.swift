/// A part of a view with tabs.
@MainActor @preconcurrency public protocol TabContent {}

/// A tab.
public struct Tab<Value, Content: View, Label: View>: TabContent {
    let content: Content
    let label: Label
    /// - Parameters:
    ///   - titleKey: what the tab says.
    ///   - systemImage: one of the system's symbols.
    ///   - content: the view.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content)
    where Value == Never, Label == SwiftUI.Label<Text, Image> {
        (self.content, label) = (content(), SwiftUI.Label(titleKey, systemImage: systemImage))
    }
    /// - Parameters:
    ///   - titleKey: what the tab says.
    ///   - systemImage: one of the system's symbols.
    ///   - value: stands for the view.
    ///   - content: the view.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, value: Value, @ViewBuilder content: () -> Content)
    where Value: Hashable, Label == SwiftUI.Label<Text, Image> {
        (self.content, label) = (content(), SwiftUI.Label(titleKey, systemImage: systemImage))
    }
    /// - Parameters:
    ///   - title: what the tab says.
    ///   - systemImage: one of the system's symbols.
    ///   - value: stands for the view.
    ///   - content: the view.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, value: Value, @ViewBuilder content: () -> Content)
    where Value: Hashable, Label == SwiftUI.Label<Text, Image> {
        (self.content, label) = (content(), SwiftUI.Label(title, systemImage: systemImage))
    }
}

/// Several parts of a view with tabs.
struct TupleTabContent<Content>: TabContent {
    let content: Content
}

/// Combines the parts of a view with tabs.
@resultBuilder public enum TabContentBuilder {
    /// A part.
    public static func buildExpression<Content: TabContent>(_ content: Content) -> Content { content }
    /// One part.
    public static func buildBlock<Content: TabContent>(_ content: Content) -> Content { content }
    /// Several parts.
    @MainActor @preconcurrency public static func buildBlock<First: TabContent, each Content: TabContent>(
        _ first: First, _ content: repeat each Content
    ) -> some TabContent { TupleTabContent(content: (first, repeat each content)) }
    /// A part under a condition.
    @MainActor @preconcurrency public static func buildIf<Content: TabContent>(
        _ content: Content?
    ) -> some TabContent { TupleTabContent(content: content) }
}

/// The parts of a view with tabs.
struct TabContentView<Content: TabContent>: View {
    typealias Body = Never
    let content: Content
}

extension TabView where Content == AnyView {
    /// - Parameter content: the tabs.
    public init<C: TabContent>(@TabContentBuilder content: () -> C) where SelectionValue == Int {
        self.content = AnyView(TabContentView(content: content()))
    }
    /// - Parameters:
    ///   - selection: the value; nothing changes it.
    ///   - content: the tabs.
    public init<C: TabContent>(selection: Binding<SelectionValue>, @TabContentBuilder content: () -> C) {
        self.content = AnyView(TabContentView(content: content()))
    }
}
