import TaskModel

extension TransferError {
    /// The network's doing, so that its return is worth another attempt at once.
    var isOfNetwork: Bool {
        switch self {
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .connectionLost, .notConnectedToInternet: true
        case .unknown, .sessionRequiresSharedContainer, .sessionInUse, .sessionWasDisconnected, .cancelled, .badURL,
            .unsupportedURL, .tooManyRedirects, .resourceUnavailable, .redirectToNonExistentLocation,
            .badServerResponse, .userCancelledAuthentication, .userAuthenticationRequired, .cannotDecodeContent,
            .notPermitted, .uploadFileChanged, .fileDoesNotExist,
            .fileIsDirectory, .noPermissionToReadFile, .tooLarge, .secureConnectionFailed, .serverCertificateUntrusted,
            .clientCertificateRejected, .clientCertificateRequired, .cannotCreateFile, .cannotWriteToFile:
            false
        }
    }
}
