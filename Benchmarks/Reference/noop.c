/* A process that does nothing; with any argument it waits for a signal instead, to be weighed. Linked statically. */
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) { pause(); }
    return 0;
}
