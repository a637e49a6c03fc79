/// A place, and when and how exactly it was found. Nothing here finds one: it keeps what it is given.
open class CLLocation: NSObject, NSCopying, @unchecked Sendable {  // immutable
    /// The point.
    public let coordinate: CLLocationCoordinate2D
    /// Meters above the sea.
    public let altitude: CLLocationDistance
    /// The radius of uncertainty in meters; negative: the point is invalid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// The uncertainty of the altitude in meters; zero or negative: the altitude is invalid.
    public let verticalAccuracy: CLLocationAccuracy
    /// Where it was moving; negative: unknown.
    public let course: CLLocationDirection
    /// The uncertainty of the course; negative: unknown.
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// How fast it was moving; negative: unknown.
    public let speed: CLLocationSpeed
    /// The uncertainty of the speed; negative: unknown.
    public let speedAccuracy: CLLocationSpeedAccuracy
    /// When it was found.
    public let timestamp: Date

    /// A place that was found now, exactly, and does not move. Its altitude is invalid.
    /// - Parameters:
    ///   - latitude: degrees north of the equator.
    ///   - longitude: degrees east of Greenwich.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// A place whose movement is unknown.
    /// - Parameters:
    ///   - coordinate: the point.
    ///   - altitude: meters above the sea.
    ///   - hAccuracy: its radius of uncertainty in meters.
    ///   - vAccuracy: the uncertainty of the altitude in meters.
    ///   - timestamp: when it was found.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: -1, speed: -1, timestamp: timestamp)
    }

    /// A place, with its movement of unknown uncertainty.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1, timestamp: timestamp)
    }

    /// A place, with its movement.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        horizontalAccuracy = hAccuracy
        verticalAccuracy = vAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
    }

    /// Itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Meters along the surface, on a sphere of the Earth's mean radius: up to half a percent from the ellipsoid's.
    /// Altitudes do not count.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        func radians(_ degrees: CLLocationDegrees) -> Double { degrees * .pi / 180 }
        let (here, there) = (coordinate, location.coordinate)
        let (north, east) = (
            sin(radians(there.latitude - here.latitude) / 2), sin(radians(there.longitude - here.longitude) / 2)
        )
        let chord = north * north + cos(radians(here.latitude)) * cos(radians(there.latitude)) * east * east
        return 2 * Self.meanRadius * asin(min(1, chord.squareRoot()))
    }

    /// The Earth's, in meters.
    private static let meanRadius = 6_371_008.8
}
