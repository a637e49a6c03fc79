/// Declares an application's delegate. Its object is made by the class's own `init()` when it is first used, at the latest at
/// launch. Here `UIApplication.shared.delegate` is that object; on iOS it is one of SwiftUI's.
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate>: DynamicProperty {
    private let maker: Maker

    /// - Parameter delegateType: the delegate's class.
    public init(_ delegateType: DelegateType.Type = DelegateType.self) { maker = Maker() }

    /// The delegate.
    public var wrappedValue: DelegateType { maker.delegate }

    @MainActor private final class Maker {
        lazy var delegate: DelegateType = {
            guard let made = Launching.make(DelegateType.self) as? DelegateType else {
                preconditionFailure("an object is of the class that it was made from")
            }
            return made
        }()
    }
}

extension UIApplicationDelegateAdaptor where DelegateType: ObservableObject {
    /// Makes bindings to the delegate's properties.
    public var projectedValue: ObservedObject<DelegateType>.Wrapper { ObservedObject.Wrapper(wrappedValue) }
}

/// The declaration of a delegate, of any class.
@MainActor protocol DelegateAdaptor {
    var made: any UIApplicationDelegate { get }
}

extension UIApplicationDelegateAdaptor: DelegateAdaptor {
    var made: any UIApplicationDelegate { wrappedValue }
}
