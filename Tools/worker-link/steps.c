/* Follows what a process forks, instruction by instruction, until a signal ends it: steps PID
 * Prints the address of each instruction within PID's own program that its children carry out, in the order of their first time, as
 * offsets from where the program is mapped. PID itself goes on as it is, and its children when this ends. For x86-64 (ptrace(2)). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_PIDS (4 << 20)

static unsigned long base, end;

static int find_program(pid_t process) {
    char path[64], program[4096], line[4608];
    snprintf(path, sizeof path, "/proc/%d/exe", process);
    ssize_t length = readlink(path, program, sizeof program - 1);
    if (length < 0) { return -1; }
    program[length] = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", process);
    FILE *maps = fopen(path, "r");
    if (maps == NULL) { return -1; }
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long from, to;
        if (strstr(line, program) == NULL || sscanf(line, "%lx-%lx", &from, &to) != 2) { continue; }
        if (base == 0) { base = from; }
        end = to;
    }
    fclose(maps);
    return base == 0 ? -1 : 0;
}

int main(int count, char **arguments) {
    pid_t parent = count == 2 ? atoi(arguments[1]) : 0;
    if (parent <= 0 || find_program(parent) < 0) {
        fprintf(stderr, "steps: no such process; name one\n");
        return 64;
    }
    unsigned char *seen = calloc(end - base, 1), *known = calloc(MOST_PIDS, 1);
    if (seen == NULL || known == NULL) { return 71; }
    if (ptrace(PTRACE_SEIZE, parent, 0, PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE) < 0) {
        perror("steps: ptrace");
        return 77;
    }
    setlinebuf(stdout);
    int status;
    pid_t thread;
    while ((thread = waitpid(-1, &status, __WALL)) > 0) {
        if (!WIFSTOPPED(status)) { continue; }
        int number = WSTOPSIG(status), event = status >> 16;
        /* Stops of ours are no signals of theirs. */
        int passed = event != 0 || number == SIGTRAP ? 0 : number;
        if (thread == parent) {
            ptrace(PTRACE_CONT, thread, 0, passed);
            continue;
        }
        struct user_regs_struct registers;
        if (!known[thread]) {
            known[thread] = 1;
            passed = 0;
        } else if (passed == 0 && event == 0 && ptrace(PTRACE_GETREGS, thread, 0, &registers) == 0
                   && registers.rip >= base && registers.rip < end && !seen[registers.rip - base]) {
            seen[registers.rip - base] = 1;
            printf("%llx\n", registers.rip - base);
        }
        ptrace(PTRACE_SINGLESTEP, thread, 0, passed);
    }
    return 0;
}
