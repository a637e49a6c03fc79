/// Rows from top to bottom, of which some may be selected.
public struct List<SelectionValue: Hashable, Content: View>: View {
    /// None.
    public typealias Body = Never
    let content: Content

    /// - Parameters:
    ///   - selection: the selected rows; nothing is selected.
    ///   - content: the rows.
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) { self.content = content() }
    /// - Parameters:
    ///   - selection: the selected rows; nothing is selected.
    ///   - content: the rows.
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    /// - Parameters:
    ///   - data: the elements.
    ///   - selection: the selected rows; nothing is selected.
    ///   - rowContent: makes the row of an element.
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        content = ForEach(data, content: rowContent)
    }
    /// - Parameters:
    ///   - data: the elements.
    ///   - selection: the selected rows; nothing is selected.
    ///   - rowContent: makes the row of an element.
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        content = ForEach(data, content: rowContent)
    }
}

extension List where SelectionValue == Never {
    /// - Parameter content: the rows.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    /// - Parameters:
    ///   - data: the elements.
    ///   - rowContent: makes the row of an element.
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        content = ForEach(data, content: rowContent)
    }

    /// - Parameters:
    ///   - data: the elements.
    ///   - id: the identity of an element.
    ///   - rowContent: makes the row of an element.
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {
        content = ForEach(data, id: id, content: rowContent)
    }

    /// - Parameters:
    ///   - data: the elements.
    ///   - rowContent: makes the row of an element.
    public init<Data: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<Data>, @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    ) where Content == ForEach<Binding<Data>, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        content = ForEach(data, content: rowContent)
    }
}
