/* The same application, with a main loop of its own. */
#define SERVICES_RUN_MAIN
#include "services.c"
