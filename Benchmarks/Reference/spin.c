/* Keeps cores busy until its parent ends or closes its standard input: spin PROCESSES */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int processes = argc > 1 ? atoi(argv[1]) : 2;
    char byte;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < processes; i++) {
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (volatile unsigned long n = 0;; n++) {}
        }
    }
    while (read(0, &byte, 1) > 0) {}
    return 0; /* its children go with it, by their death signal */
}
