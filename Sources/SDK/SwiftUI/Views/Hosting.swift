/// Controls a view of SwiftUI. Nothing is drawn.
open class UIHostingController<Content: View>: UIViewController {
    /// The view.
    public var rootView: Content
    /// - Parameter rootView: the view.
    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }
    /// Nil: a controller has its view from code.
    public required init?(coder: NSCoder) { return nil }
}

/// A view of UIKit. None is made.
@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
    /// The type of the view.
    associatedtype UIViewType: UIView
    /// The type of what works for the view.
    associatedtype Coordinator = Void
    /// What comes with each call.
    typealias Context = UIViewRepresentableContext<Self>
    /// Makes the view. Never called.
    @MainActor @preconcurrency func makeUIView(context: Context) -> UIViewType
    /// Changes the view. Never called.
    @MainActor @preconcurrency func updateUIView(_ uiView: UIViewType, context: Context)
    /// Makes what works for the view. Never called.
    @MainActor @preconcurrency func makeCoordinator() -> Coordinator
}

extension UIViewRepresentable where Coordinator == Void {
    /// Nothing works for the view.
    public func makeCoordinator() {}
}

/// What comes with each call for a view of UIKit.
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    /// What works for the view.
    public let coordinator: Representable.Coordinator
    /// The environment.
    public let environment: EnvironmentValues
}

/// A controller of UIKit. None is made.
@MainActor @preconcurrency public protocol UIViewControllerRepresentable: View where Body == Never {
    /// The type of the controller.
    associatedtype UIViewControllerType: UIViewController
    /// The type of what works for the controller.
    associatedtype Coordinator = Void
    /// What comes with each call.
    typealias Context = UIViewControllerRepresentableContext<Self>
    /// Makes the controller. Never called.
    @MainActor @preconcurrency func makeUIViewController(context: Context) -> UIViewControllerType
    /// Changes the controller. Never called.
    @MainActor @preconcurrency func updateUIViewController(
        _ uiViewController: UIViewControllerType, context: Context)
    /// Makes what works for the controller. Never called.
    @MainActor @preconcurrency func makeCoordinator() -> Coordinator
}

extension UIViewControllerRepresentable where Coordinator == Void {
    /// Nothing works for the controller.
    public func makeCoordinator() {}
}

/// What comes with each call for a controller of UIKit.
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    /// What works for the controller.
    public let coordinator: Representable.Coordinator
    /// The environment.
    public let environment: EnvironmentValues
}
