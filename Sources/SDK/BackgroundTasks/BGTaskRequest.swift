internal import CTaskHost

/// A request for one launch, for the task of an identifier. Create one of its subclasses.
open class BGTaskRequest: NSObject, NSCopying, @unchecked Sendable {  // not to be changed while it is submitted
    /// The identifier of the task; one that the manifest permits.
    open var identifier: String { storedIdentifier }
    private let storedIdentifier: String

    /// The earliest moment to start it; nil for no delay. A lower bound, never a promise.
    open var earliestBeginDate: Date?

    /// For subclasses that replace a request in tests.
    public override convenience init() { self.init(taskHostIdentifier: "") }

    init(taskHostIdentifier identifier: String) {
        storedIdentifier = identifier
        super.init()
    }

    /// A request of the same terms.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = duplicate()
        copy.earliestBeginDate = earliestBeginDate
        return copy
    }

    open override func copy() -> Any { copy(with: nil) }

    /// An object of the same class and identifier, with the class's own terms.
    func duplicate() -> BGTaskRequest { BGTaskRequest(taskHostIdentifier: identifier) }

    /// `TASKHOST_KIND_…`, 0 for a class that the host does not know.
    var kind: UInt32 { 0 }

    /// The class's additions to the terms.
    var terms: Terms { Terms() }

    struct Terms {
        var flags: UInt32 = 0
        var title = ""
        var subtitle = ""
        var resources: UInt32 = 0
    }

    open override var description: String {
        let date = earliestBeginDate.map { "\($0)" } ?? "none"
        return "<\(type(of: self)): \(identifier), earliestBeginDate: \(date)>"
    }
}

/// A request for a short refresh of the application's content.
open class BGAppRefreshTaskRequest: BGTaskRequest, @unchecked Sendable {
    /// - Parameter identifier: of a task of the kind appRefresh in the manifest.
    public init(identifier: String) { super.init(taskHostIdentifier: identifier) }

    override func duplicate() -> BGTaskRequest { BGAppRefreshTaskRequest(identifier: identifier) }
    override var kind: UInt32 { TASKHOST_KIND_APP_REFRESH }
}

/// A request for minutes of work while the device is idle.
open class BGProcessingTaskRequest: BGTaskRequest, @unchecked Sendable {
    /// Whether the work requires a network.
    open var requiresNetworkConnectivity = false
    /// Whether the work requires external power. It may then use the CPU freely.
    open var requiresExternalPower = false

    /// - Parameter identifier: of a task of the kind processing in the manifest.
    public init(identifier: String) { super.init(taskHostIdentifier: identifier) }

    override func duplicate() -> BGTaskRequest { withTerms(of: self, BGProcessingTaskRequest(identifier: identifier)) }
    override var kind: UInt32 { TASKHOST_KIND_PROCESSING }
    override var terms: Terms {
        var terms = Terms()
        if requiresNetworkConnectivity { terms.flags |= TASKHOST_REQUEST_NEEDS_NETWORK }
        if requiresExternalPower { terms.flags |= TASKHOST_REQUEST_NEEDS_POWER }
        return terms
    }

    final func withTerms<Copy: BGProcessingTaskRequest>(of other: BGProcessingTaskRequest, _ copy: Copy) -> Copy {
        copy.requiresNetworkConnectivity = other.requiresNetworkConnectivity
        copy.requiresExternalPower = other.requiresExternalPower
        return copy
    }
}

/// A request for processing on behalf of a health study.
open class BGHealthResearchTaskRequest: BGProcessingTaskRequest, @unchecked Sendable {
    /// The protection class of the files that the work needs, such as `.complete`. Stored without effect: Linux has no such
    /// classes.
    open var protectionTypeOfRequiredData = NSString(
        string: FileProtectionType.completeUntilFirstUserAuthentication.rawValue)

    /// - Parameter identifier: of a task of the kind healthResearch in the manifest.
    public override init(identifier: String) { super.init(identifier: identifier) }

    override func duplicate() -> BGTaskRequest {
        let copy = withTerms(of: self, BGHealthResearchTaskRequest(identifier: identifier))
        copy.protectionTypeOfRequiredData = protectionTypeOfRequiredData
        return copy
    }
    override var kind: UInt32 { TASKHOST_KIND_HEALTH_RESEARCH }
}

/// The raw values of `FileProtectionType`, for `BGHealthResearchTaskRequest.protectionTypeOfRequiredData`.
extension NSString {
    /// `FileProtectionType.none`
    public static var none: NSString { NSString(string: FileProtectionType.none.rawValue) }
    /// `FileProtectionType.complete`
    public static var complete: NSString { NSString(string: FileProtectionType.complete.rawValue) }
    /// `FileProtectionType.completeUnlessOpen`
    public static var completeUnlessOpen: NSString {
        NSString(string: FileProtectionType.completeUnlessOpen.rawValue)
    }
    /// `FileProtectionType.completeUntilFirstUserAuthentication`
    public static var completeUntilFirstUserAuthentication: NSString {
        NSString(string: FileProtectionType.completeUntilFirstUserAuthentication.rawValue)
    }
}
