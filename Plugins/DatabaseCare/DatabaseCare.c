#include "taskhost.h"
