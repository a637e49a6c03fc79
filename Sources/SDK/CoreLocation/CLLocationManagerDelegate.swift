/// Hears of a manager's authorization and failures. Here there are never locations.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Is called when the manager gets its delegate.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// Is called with `CLError.denied` when a location is asked for.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Is never called.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
}

extension CLLocationManagerDelegate {
    /// Does nothing.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
}
