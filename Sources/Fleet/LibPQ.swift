import CPQ
import Linux

/// libpq 14 or later, mapped when the first fleet is opened: a host without one has no byte of it. Each function has the name and
/// the type of `libpq-fe.h`. Usable from any thread; each connection is one thread's (libpq, "Behavior in Threaded Programs").
@safe struct LibPQ: @unchecked Sendable {
    typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
    typealias Text = UnsafePointer<CChar>
    typealias Connection = OpaquePointer
    typealias Result = OpaquePointer

    let connectStart: @convention(c) (Texts?, Texts?, Int32) -> Connection?
    /// Waits (PQconnectdbParams).
    let connect: @convention(c) (Texts?, Texts?, Int32) -> Connection?
    let connectPoll: @convention(c) (Connection?) -> PostgresPollingStatusType
    let finish: @convention(c) (Connection?) -> Void
    let status: @convention(c) (Connection?) -> ConnStatusType
    let socket: @convention(c) (Connection?) -> Int32
    let errorMessage: @convention(c) (Connection?) -> Text?
    let setNonblocking: @convention(c) (Connection?, Int32) -> Int32
    let enterPipelineMode: @convention(c) (Connection?) -> Int32
    let sendQuery:
        @convention(c) (
            Connection?, Text?, Int32, UnsafePointer<Oid>?, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
        ) -> Int32
    /// The same, and waits (PQexecParams).
    let execParameters:
        @convention(c) (
            Connection?, Text?, Int32, UnsafePointer<Oid>?, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
        ) -> Result?
    let exec: @convention(c) (Connection?, Text?) -> Result?
    let pipelineSync: @convention(c) (Connection?) -> Int32
    let flush: @convention(c) (Connection?) -> Int32
    let consumeInput: @convention(c) (Connection?) -> Int32
    let isBusy: @convention(c) (Connection?) -> Int32
    let getResult: @convention(c) (Connection?) -> Result?
    let clear: @convention(c) (Result?) -> Void
    let resultStatus: @convention(c) (Result?) -> ExecStatusType
    let resultErrorField: @convention(c) (Result?, Int32) -> Text?
    let rowCount: @convention(c) (Result?) -> Int32
    let columnCount: @convention(c) (Result?) -> Int32
    let getValue: @convention(c) (Result?, Int32, Int32) -> Text?
    let getIsNull: @convention(c) (Result?, Int32, Int32) -> Int32
    let notifies: @convention(c) (Connection?) -> UnsafeMutablePointer<PGnotify>?
    let freeMemory: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let parse: @convention(c) (Text?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Options?
    let options: @convention(c) (Connection?) -> Options?
    let freeOptions: @convention(c) (Options?) -> Void
    typealias Options = UnsafeMutablePointer<PQconninfoOption>

    private static let file = "libpq.so.5"

    private static let mapped = Swift.Result { () throws(FleetError) in try LibPQ() }

    /// Maps it when it is asked for first.
    static func map() throws(FleetError) -> LibPQ { try mapped.get() }

    private init() throws(FleetError) {
        let library: LoadedLibrary
        do throws(LoadError) { library = try LoadedLibrary(Self.file) } catch {
            throw .library("libpq is not installed; \(error.sentence); install it with 'apt install libpq5'")
        }
        func find<Function>(_ name: String, as type: Function.Type = Function.self) throws(FleetError) -> Function {
            guard let function: Function = library.function(name) else {
                throw .library("libpq is too old; \(Self.file) has no \(name); install libpq5 of version 14 or later")
            }
            return function
        }
        unsafe connectStart = try find("PQconnectStartParams")
        unsafe connect = try find("PQconnectdbParams")
        unsafe connectPoll = try find("PQconnectPoll")
        unsafe finish = try find("PQfinish")
        unsafe status = try find("PQstatus")
        unsafe socket = try find("PQsocket")
        unsafe errorMessage = try find("PQerrorMessage")
        unsafe setNonblocking = try find("PQsetnonblocking")
        unsafe enterPipelineMode = try find("PQenterPipelineMode")
        unsafe sendQuery = try find("PQsendQueryParams")
        unsafe execParameters = try find("PQexecParams")
        unsafe exec = try find("PQexec")
        unsafe pipelineSync = try find("PQpipelineSync")
        unsafe flush = try find("PQflush")
        unsafe consumeInput = try find("PQconsumeInput")
        unsafe isBusy = try find("PQisBusy")
        unsafe getResult = try find("PQgetResult")
        unsafe clear = try find("PQclear")
        unsafe resultStatus = try find("PQresultStatus")
        unsafe resultErrorField = try find("PQresultErrorField")
        unsafe rowCount = try find("PQntuples")
        unsafe columnCount = try find("PQnfields")
        unsafe getValue = try find("PQgetvalue")
        unsafe getIsNull = try find("PQgetisnull")
        unsafe notifies = try find("PQnotifies")
        unsafe freeMemory = try find("PQfreemem")
        unsafe parse = try find("PQconninfoParse")
        unsafe options = try find("PQconninfo")
        unsafe freeOptions = try find("PQconninfoFree")
    }
}
