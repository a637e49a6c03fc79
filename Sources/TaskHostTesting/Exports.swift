@_exported public import BackgroundTasks
@_exported public import TaskHostExtensions
