@_exported import TaskHostFoundation
