#include "taskhost_scheduling.h"
#include "taskhost_transfer.h"
