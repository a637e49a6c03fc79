/// A view for each element. There is no screen: the closure is not called.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    /// The elements.
    public var data: Data
    /// Makes the view of an element.
    public var content: (Data.Element) -> Content
    private init(elements: Data, content: @escaping (Data.Element) -> Content) {
        data = elements
        self.content = content
    }
}

extension ForEach: View where Content: View {
    /// None.
    public typealias Body = Never
}

extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
    /// - Parameters:
    ///   - data: the elements.
    ///   - content: makes the view of an element.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(elements: data, content: content)
    }
}

extension ForEach where Content: View {
    /// - Parameters:
    ///   - data: the elements.
    ///   - id: the identity of an element.
    ///   - content: makes the view of an element.
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(elements: data, content: content)
    }

    /// - Parameters:
    ///   - data: the elements.
    ///   - content: makes the view of an element.
    public init<C: MutableCollection & RandomAccessCollection>(
        _ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    ) where Data == Binding<C>, C.Element: Identifiable, ID == C.Element.ID {
        self.init(elements: data, content: content)
    }

    /// - Parameters:
    ///   - data: the elements.
    ///   - id: the identity of an element.
    ///   - content: makes the view of an element.
    public init<C: MutableCollection & RandomAccessCollection>(
        _ data: Binding<C>, id: KeyPath<C.Element, ID>,
        @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    ) where Data == Binding<C> {
        self.init(elements: data, content: content)
    }
}

extension ForEach where Content: View, Data == Range<Int>, ID == Int {
    /// - Parameters:
    ///   - data: the numbers.
    ///   - content: makes the view of a number.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(elements: data, content: content)
    }
}

/// Views of a collection.
@MainActor @preconcurrency public protocol DynamicViewContent<Data>: View {
    /// The type of the collection.
    associatedtype Data: Collection
    /// The collection.
    var data: Data { get }
}

extension ForEach: DynamicViewContent where Content: View {}

extension DynamicViewContent {
    /// The views as they are: nothing is deleted.
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent { self }
    /// The views as they are: nothing is moved.
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent { self }
}
