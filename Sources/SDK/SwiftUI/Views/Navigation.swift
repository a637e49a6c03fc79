/// Views that lead to others.
public struct NavigationView<Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameter content: the views.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Views that lead to others, and a path of them.
public struct NavigationStack<Data, Root: View>: View {
    /// None.
    public typealias Body = Never
    let root: Root
    /// - Parameter root: the first view.
    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { self.root = root() }
    /// - Parameters:
    ///   - path: the path; nothing follows it.
    ///   - root: the first view.
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
    }
    /// - Parameters:
    ///   - path: the path; nothing follows it.
    ///   - root: the first view.
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
        self.root = root()
    }
}

/// A path of values that stand for views.
public struct NavigationPath: Equatable {
    private var values: [AnyHashable] = []
    /// An empty path.
    public init() {}
    /// - Parameter elements: the values.
    public init<S: Sequence>(_ elements: S) where S.Element: Hashable { values = elements.map { AnyHashable($0) } }
    /// How many values there are.
    public var count: Int { values.count }
    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty }
    /// Adds a value.
    public mutating func append<V: Hashable>(_ value: V) { values.append(value) }
    /// Removes the last values.
    public mutating func removeLast(_ count: Int = 1) { values.removeLast(count) }
}

/// Views in two or three columns.
public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
    /// None.
    public typealias Body = Never
    let sidebar: Sidebar
    let content: Content
    let detail: Detail
    /// - Parameters:
    ///   - sidebar: the first column.
    ///   - content: the second column.
    ///   - detail: the third column.
    public init(
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) { (self.sidebar, self.content, self.detail) = (sidebar(), content(), detail()) }
    /// - Parameters:
    ///   - sidebar: the first column.
    ///   - detail: the second column.
    public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) where Content == EmptyView {
        (self.sidebar, content, self.detail) = (sidebar(), EmptyView(), detail())
    }
}
