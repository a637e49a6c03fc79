/// Whether an application may know where it is.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// Nobody was asked.
    case notDetermined = 0
    /// It may not, and nobody can change that.
    case restricted = 1
    /// The user said no.
    case denied = 2
    /// It always may.
    case authorizedAlways = 3
    /// It may while it is used.
    case authorizedWhenInUse = 4
}

/// How exactly an application may know where it is.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// As exactly as it wants to.
    case fullAccuracy = 0
    /// Roughly.
    case reducedAccuracy = 1
}

/// Asks for locations. A worker has none: it is never authorized, and each request fails.
open class CLLocationManager: NSObject, @unchecked Sendable {  // as on iOS, used on one thread
    /// Is called on the main queue, soon after it is set.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet { if delegate != nil { tell { $1.locationManagerDidChangeAuthorization($0) } } }
    }
    /// Kept without effect.
    open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
    /// Kept without effect.
    open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
    /// Kept without effect.
    open var allowsBackgroundLocationUpdates = false
    /// Kept without effect.
    open var pausesLocationUpdatesAutomatically = true
    /// Kept without effect.
    open var showsBackgroundLocationIndicator = false
    /// None.
    open var location: CLLocation? { nil }
    /// `restricted`.
    open var authorizationStatus: CLAuthorizationStatus { .restricted }
    /// `reducedAccuracy`.
    open var accuracyAuthorization: CLAccuracyAuthorization { .reducedAccuracy }

    /// `restricted`.
    open class func authorizationStatus() -> CLAuthorizationStatus { .restricted }
    /// False.
    open class func locationServicesEnabled() -> Bool { false }
    /// False.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { false }

    /// Does nothing: there is nobody to ask.
    open func requestWhenInUseAuthorization() {}
    /// Does nothing: there is nobody to ask.
    open func requestAlwaysAuthorization() {}
    /// Fails with `CLError.denied`, told to the delegate.
    open func requestLocation() { refuse() }
    /// Fails with `CLError.denied`, told to the delegate.
    open func startUpdatingLocation() { refuse() }
    /// Does nothing.
    open func stopUpdatingLocation() {}
    /// Fails with `CLError.denied`, told to the delegate.
    open func startMonitoringSignificantLocationChanges() { refuse() }
    /// Does nothing.
    open func stopMonitoringSignificantLocationChanges() {}

    private func refuse() { tell { $1.locationManager($0, didFailWithError: CLError(.denied)) } }

    private func tell(_ body: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
        DispatchQueue.main.async { [weak self] in
            guard let self, let delegate else { return }
            body(self, delegate)
        }
    }
}
