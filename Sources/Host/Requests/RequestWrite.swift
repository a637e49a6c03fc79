import Scheduling
import TaskModel

/// One change of a request's rows that belongs to the turn's commit.
enum RequestWrite {
    case put(RequestHandle)
    case running(RequestKey, ULID)
    case forget(RequestKey)
    case application(ApplicationIndex)
}
