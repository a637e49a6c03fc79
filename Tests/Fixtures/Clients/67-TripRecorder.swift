// Runs in ClientNames.
import CoreLocation
import Foundation
import WidgetKit

/// Records a trip, as far as it is allowed to, and has the widget show it.
final class TripRecorder: NSObject {
    enum State: Equatable { case idle, recording, refused(CLError.Code) }

    private let manager = CLLocationManager()
    private(set) var state = State.idle
    private(set) var locations: [CLLocation] = []
    var refused: (() -> Void)?

    override init() {
        super.init()
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyBest
        manager.distanceFilter = 10
        manager.allowsBackgroundLocationUpdates = true
    }

    func start() {
        guard CLLocationManager.locationServicesEnabled() || manager.authorizationStatus != .notDetermined else {
            return manager.requestAlwaysAuthorization()
        }
        state = .recording
        manager.startUpdatingLocation()
    }

    func stop() {
        manager.stopUpdatingLocation()
        WidgetCenter.shared.reloadTimelines(ofKind: "Trip")
    }

    var length: CLLocationDistance {
        zip(locations, locations.dropFirst()).reduce(0) { $0 + $1.1.distance(from: $1.0) }
    }

    func add(_ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees) {
        let coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        guard CLLocationCoordinate2DIsValid(coordinate) else { return }
        locations.append(
            CLLocation(
                coordinate: coordinate, altitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1, timestamp: Date()))
    }
}

extension TripRecorder: CLLocationManagerDelegate {
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .authorizedAlways, .authorizedWhenInUse: manager.startUpdatingLocation()
        case .notDetermined, .restricted, .denied: break
        @unknown default: break
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        self.locations += locations.filter { $0.horizontalAccuracy >= 0 && $0.horizontalAccuracy < 100 }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        guard let error = error as? CLError else { return }
        state = .refused(error.code)
        refused?()
    }
}

@MainActor
func tryTripRecorder() async throws {
    let recorder = TripRecorder()
    await withCheckedContinuation { continuation in
        recorder.refused = { continuation.resume() }
        recorder.start()
    }
    precondition(recorder.state == .refused(.denied) && recorder.locations.isEmpty)
    recorder.add(52.52, 13.405)
    recorder.add(48.8566, 2.3522)
    recorder.add(100, 0)
    precondition(recorder.locations.count == 2)
    precondition((870_000...890_000).contains(recorder.length))
    recorder.stop()
    let widgets = try await WidgetCenter.shared.currentConfigurations()
    precondition(widgets.isEmpty)
    WidgetCenter.shared.reloadAllTimelines()
}
