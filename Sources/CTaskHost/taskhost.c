#include "taskhost_scheduling.h"
