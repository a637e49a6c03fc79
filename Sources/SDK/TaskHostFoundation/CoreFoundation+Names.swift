/// The names of CoreFoundation's types, which C functions of iOS use. They are Foundation's classes, which the compiler
/// converts from and to Swift's types with `as`.

/// Any object.
public typealias CFTypeRef = AnyObject
/// A text.
public typealias CFString = NSString
/// Bytes.
public typealias CFData = NSData
/// A list.
public typealias CFArray = NSArray
/// Values by key.
public typealias CFDictionary = NSDictionary
/// Values by key that can be changed.
public typealias CFMutableDictionary = NSMutableDictionary
/// A number.
public typealias CFNumber = NSNumber
/// A truth value.
public typealias CFBoolean = NSNumber
/// A moment.
public typealias CFDate = NSDate
/// An address.
public typealias CFURL = NSURL
/// A number of elements, or a position.
public typealias CFIndex = Int
/// Seconds.
public typealias CFTimeInterval = Double
/// The result of a function of a framework; 0: success.
public typealias OSStatus = Int32

/// True.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// False.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
