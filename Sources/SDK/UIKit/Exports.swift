@_exported import TaskHostFoundation
@_exported import UserNotifications
@_exported import TaskHostSecurity
