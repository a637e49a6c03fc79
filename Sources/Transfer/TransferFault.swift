import TaskModel
import Wire

/// Why an exchange cannot go on, in our own judgement.
struct TransferFault: Error {
    var kind: TransferResult.Kind
    var error: TransferError
    /// For people.
    var sentence: String
    var isFileUseless = false

    init(_ kind: TransferResult.Kind, _ error: TransferError, _ sentence: String, isFileUseless: Bool = false) {
        self.kind = kind
        self.error = error
        self.sentence = sentence
        self.isFileUseless = isFileUseless
    }

    /// As the host is told.
    var result: TransferResult {
        var result = TransferResult(kind, error: error, sentence: sentence)
        result.isFileUseless = isFileUseless
        return result
    }
}
