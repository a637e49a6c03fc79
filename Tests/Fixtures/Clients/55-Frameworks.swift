import AVFoundation
import AppIntents
import AudioToolbox
import AuthenticationServices
import BackgroundTasks
import CarPlay
import CoreBluetooth
import CoreData
import CoreFoundation
import CoreGraphics
import CoreLocation
import DeviceCheck
import ExposureNotification
import Foundation
import HealthKit
import ImageIO
import MapKit
import Network
import NetworkExtension
import PassKit
import Photos
import Security
import StoreKit
import WebKit
import WidgetKit

/// Keeps a token as most applications do.
struct TokenStore {
    let service: String

    func save(_ token: String) -> Bool {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: "token",
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
            kSecValueData as String: Data(token.utf8),
        ]
        SecItemDelete(query as CFDictionary)
        return SecItemAdd(query as CFDictionary, nil) == errSecSuccess
    }

    func load() -> String? {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "token",
            kSecReturnData: kCFBooleanTrue!, kSecMatchLimit: kSecMatchLimitOne,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess, let data = item as? Data else { return nil }
        return String(data: data, encoding: .utf8)
    }

    func accounts() -> [String] {
        var result: AnyObject?
        let query =
            [
                kSecClass as String: kSecClassGenericPassword, kSecReturnAttributes as String: true,
                kSecMatchLimit as String: kSecMatchLimitAll,
            ] as [String: Any]
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return [] }
        let items = result as? [[String: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount as String] as? String }
    }
}

final class Places: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private(set) var last: CLLocation?

    func start() {
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
        switch manager.authorizationStatus {
        case .notDetermined: manager.requestWhenInUseAuthorization()
        case .authorizedAlways, .authorizedWhenInUse: manager.startUpdatingLocation()
        case .restricted, .denied: break
        @unknown default: break
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { manager.requestLocation() }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        last = locations.last
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        if let error = error as? CLError, error.code == .denied { manager.stopUpdatingLocation() }
    }

    func distance(to coordinate: CLLocationCoordinate2D) -> CLLocationDistance? {
        last?.distance(from: CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude))
    }
}

final class Reachability: @unchecked Sendable {
    static let shared = Reachability()
    private let monitor = NWPathMonitor()
    private let queue = DispatchQueue(label: "com.example.reachability")
    private(set) var isConnected = false

    func start() {
        monitor.pathUpdateHandler = { [weak self] path in
            self?.isConnected = path.status == .satisfied && !path.isExpensive && !path.isConstrained
            if path.usesInterfaceType(.wifi) { print("Wi-Fi") }
        }
        monitor.start(queue: queue)
    }

    func stop() { monitor.cancel() }

    func wait() async {
        for await path in NWPathMonitor(requiredInterfaceType: .wiredEthernet) {
            if path.status == .satisfied { break }
        }
    }
}

final class Pressure {
    private var source: DispatchSourceMemoryPressure?

    func watch() {
        let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .main)
        source.setEventHandler {
            if source.data.contains(.critical) { URLCache.shared.removeAllCachedResponses() }
        }
        source.activate()
        self.source = source
    }
}

func finish() {
    let size: CoreGraphics.CGFloat = 2
    print(sqrt(Double(size)), CGSize(width: size, height: size))
    WidgetCenter.shared.reloadAllTimelines()
    WidgetCenter.shared.reloadTimelines(ofKind: "com.example.widget")
    WidgetCenter.shared.getCurrentConfigurations { result in
        if case .success(let widgets) = result { print(widgets.map(\.kind)) }
    }
}
