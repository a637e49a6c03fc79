@_exported import TaskHostFoundation
@_exported import UserNotifications
