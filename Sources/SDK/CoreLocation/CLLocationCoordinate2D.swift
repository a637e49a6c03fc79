/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Meters.
public typealias CLLocationDistance = Double
/// Meters; negative: unknown.
public typealias CLLocationAccuracy = Double
/// Meters a second; negative: unknown.
public typealias CLLocationSpeed = Double
/// Meters a second; negative: unknown.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from north; negative: unknown.
public typealias CLLocationDirection = Double
/// Degrees; negative: unknown.
public typealias CLLocationDirectionAccuracy = Double

/// A point of the Earth's surface, in the reference frame WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator; negative: south.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich; negative: west.
    public var longitude: CLLocationDegrees
    /// Latitude and longitude 0.
    public init() { self.init(latitude: 0, longitude: 0) }
    /// - Parameters:
    ///   - latitude: degrees north of the equator.
    ///   - longitude: degrees east of Greenwich.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A point, from its two numbers.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the latitude is within 90 degrees, and the longitude within 180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}

/// A point that is none.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
/// No movement is too small.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// As exact as possible, with all sensors.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// As exact as possible.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Ten meters.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// A hundred meters.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// A kilometer.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
/// Three kilometers.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
