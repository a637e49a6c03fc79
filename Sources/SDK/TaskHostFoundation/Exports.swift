@_exported import Dispatch
@_exported import Foundation
@_exported import FoundationNetworking
