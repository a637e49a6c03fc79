// Filled in with the module's first type.
