// Filled in with the module's first test.
