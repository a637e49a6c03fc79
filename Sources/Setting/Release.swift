/// What is released.
package enum Release {
    package static let version = "1.0.0"
}
