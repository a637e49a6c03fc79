internal import CApplication

/// Creates objects of subclasses of NSObject, whose `init()` Foundation on Linux does not mark as required.
enum ObjectMaker {
    /// The symbol of `NSObject.init()`, in the form that allocates.
    private static let initializer = "$s10Foundation8NSObjectCACycfC"

    /// A new object, made by the class's own `init()`, or the one that it inherits; a class that has neither ends the process
    /// with the compiler's sentence.
    /// - Returns: nil when the class is not an NSObject, or Foundation is built differently.
    static func make(_ type: any Any.Type) -> NSObject? {
        guard let type = type as? NSObject.Type, let initializer = unsafe dlsym(nil, initializer),
            let object = unsafe taskhost_sdk_make_object(
                unsafeBitCast(type, to: UnsafeRawPointer.self),
                unsafeBitCast(NSObject.self as AnyClass, to: UnsafeRawPointer.self), initializer)
        else { return nil }
        return unsafe Unmanaged<NSObject>.fromOpaque(object).takeRetainedValue()
    }
}
