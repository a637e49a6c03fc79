/* The C half of the module os: its submodules serve `import os.log` and its like. */
#ifndef TASKHOST_OS_C_H
#define TASKHOST_OS_C_H
#endif
