import TaskModel
import Wire

/// Why an exchange cannot continue, in our own judgment.
struct TransferFault: Error {
    var kind: TransferResult.Kind
    var error: TransferError
    /// For display.
    var sentence: String
    var isFileUseless = false

    init(_ kind: TransferResult.Kind, _ error: TransferError, _ sentence: String, isFileUseless: Bool = false) {
        self.kind = kind
        self.error = error
        self.sentence = sentence
        self.isFileUseless = isFileUseless
    }

    /// The result for the host.
    var result: TransferResult {
        var result = TransferResult(kind, error: error, sentence: sentence)
        result.isFileUseless = isFileUseless
        return result
    }
}
