@_exported import Combine
@_exported import Observation
@_exported import UIKit
