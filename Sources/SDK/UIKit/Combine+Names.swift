import Combine

/// The two names of Combine that Foundation has on iOS, for files that do not import Combine. Here they stand in UIKit,
/// which every file of an application sees: Combine stands on TaskHostFoundation.

/// `Combine.Published`.
public typealias Published = Combine.Published
/// `Combine.ObservableObject`.
public typealias ObservableObject = Combine.ObservableObject
