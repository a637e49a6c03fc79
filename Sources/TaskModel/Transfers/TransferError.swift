/// Why a transfer failed: codes of `NSURLErrorDomain` (NSURLError.h), which applications read. They are stored.
package enum TransferError: Int32, NamedCases, Sendable, BitwiseCopyable {
    case unknown = -1
    case sessionRequiresSharedContainer = -995
    /// Another process of the application has the session.
    case sessionInUse = -996
    case sessionWasDisconnected = -997
    case cancelled = -999
    case badURL = -1000
    case timedOut = -1001
    case unsupportedURL = -1002
    case cannotFindHost = -1003
    case cannotConnectToHost = -1004
    case connectionLost = -1005
    case tooManyRedirects = -1007
    case resourceUnavailable = -1008
    case notConnectedToInternet = -1009
    /// A redirect without a `Location` that can be read.
    case redirectToNonExistentLocation = -1010
    case badServerResponse = -1011
    case userCancelledAuthentication = -1012
    case userAuthenticationRequired = -1013
    case cannotDecodeContent = -1016
    /// The manifest's `permissions.network` do not lead there (App Transport Security has this code on iOS).
    case notPermitted = -1022
    /// An upload's file changed, or became shorter, while it was sent (`NSURLErrorRequestBodyStreamExhausted`).
    case uploadFileChanged = -1021
    case fileDoesNotExist = -1100
    case fileIsDirectory = -1101
    case noPermissionToReadFile = -1102
    /// More than the application's `disk` allows.
    case tooLarge = -1103
    case secureConnectionFailed = -1200
    case serverCertificateUntrusted = -1202
    case clientCertificateRejected = -1205
    case clientCertificateRequired = -1206
    case cannotCreateFile = -3000
    case cannotWriteToFile = -3003
}

/// Why the system cancelled a transfer (`NSURLErrorBackgroundTaskCancelledReasonKey`).
package enum TransferCancelReason: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case userForceQuit = 0
    case backgroundUpdatesDisabled = 1
    case insufficientSystemResources = 2
}
