/* The same application, with its own main loop. */
#define SERVICES_RUN_MAIN
#include "services.c"
