import Foundation
import TaskHostCoreLocation
import TaskHostWidgetKit
import Testing

@Suite("Places and widgets")
struct LocationTests {
    @Test("a location keeps what it is given, and knows how far another one is")
    func location() {
        let berlin = CLLocation(latitude: 52.52, longitude: 13.405)
        let paris = CLLocation(latitude: 48.8566, longitude: 2.3522)
        #expect(abs(berlin.distance(from: paris) - 878_000) < 5_000)
        #expect(berlin.distance(from: berlin) == 0)
        let antipode = CLLocation(latitude: -52.52, longitude: -166.595)
        #expect(abs(berlin.distance(from: antipode) - .pi * 6_371_008.8) < 1)
        #expect(berlin.speed == -1 && berlin.course == -1 && berlin.verticalAccuracy == -1)
        #expect((berlin.copy() as? CLLocation) === berlin)
        #expect(CLLocationCoordinate2DIsValid(berlin.coordinate))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(91, 0)))
    }

    /// Collects what a manager tells, in order.
    private final class Listener: NSObject, CLLocationManagerDelegate {
        let told = AsyncStream.makeStream(of: String.self)

        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            told.continuation.yield("authorization \(manager.authorizationStatus)")
        }
        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
            let isDenied = if case CLError.denied = error { true } else { false }
            told.continuation.yield("denied \(isDenied) \((error as NSError).domain) \((error as NSError).code)")
        }
    }

    @Test("a manager is never authorized, and says so on the main thread")
    func manager() async {
        let (manager, listener) = (CLLocationManager(), Listener())
        manager.delegate = listener
        manager.requestWhenInUseAuthorization()
        manager.requestLocation()
        var told: [String] = []
        for await line in listener.told.stream {
            told.append(line)
            if told.count == 2 { break }
        }
        #expect(told == ["authorization restricted", "denied true kCLErrorDomain 1"])
        #expect(manager.location == nil && !CLLocationManager.locationServicesEnabled())
        #expect(CLError(.denied).localizedDescription.contains("payload"))
    }

    @Test("there are no widgets")
    func widgets() async throws {
        WidgetCenter.shared.reloadAllTimelines()
        WidgetCenter.shared.reloadTimelines(ofKind: "any")
        #expect(try await WidgetCenter.shared.currentConfigurations().isEmpty)
        var count: Int?
        WidgetCenter.shared.getCurrentConfigurations { count = (try? $0.get())?.count }
        #expect(count == 0)
    }
}
