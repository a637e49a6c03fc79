/// Styles of a view. Each gives the view as it is.
extension View {
    /// Of no effect: nothing is drawn.
    public func listStyle<S: ListStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func listRowSeparator(_ visibility: Visibility, edges: VerticalEdge? = nil) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func listRowBackground<V: View>(_ view: V?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func scrollContentBackground(_ visibility: Visibility) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func scrollIndicators(_ visibility: Visibility) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func scrollDisabled(_ disabled: Bool) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func formStyle<S: FormStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func toggleStyle<S: ToggleStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func tabViewStyle<S: TabViewStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func datePickerStyle<S: DatePickerStyle>(_ style: S) -> some View { self }
}
