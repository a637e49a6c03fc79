import CCurl

/// One request and its answer: what the next exchange of an attempt begins anew. Its pointers are libcurl's from its beginning
/// until the attempt gives them back.
@safe struct CurlExchange {
    let request: ExchangeRequest
    /// nil: it is over.
    var easy: UnsafeMutableRawPointer?
    var fields: UnsafeMutablePointer<curl_slist>?
    var reader = AnswerReader()
    var use = AnswerUse.none
    /// The proxy has not opened the way to the server yet.
    var isBeforeTunnel: Bool
    /// Bytes of the request's content that were handed to libcurl.
    var given: Int64 = 0
    /// An address that may not be connected to; empty: there was none.
    var refused = ""
    /// Another one was tried.
    var wasTried = false
    /// Bytes of a body that is ignored.
    var ignored = 0
    /// Enough of such a body: the connection is given up instead.
    var isCut = false
    /// How TLS ends, where the present body ends with it; nil: the body has a length of its own.
    var farewell: Farewell?

    init(_ request: ExchangeRequest, _ easy: UnsafeMutableRawPointer, isBeforeTunnel: Bool) {
        self.request = request
        unsafe self.easy = easy
        self.isBeforeTunnel = isBeforeTunnel
    }
}
