#include "CLinux.h"
#include "CLinuxSandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Ways that are followed part by part, by the kernel where it can: openat2 (5.6) is missing in older ones, and filters of
 * containers that do not know it refuse it with EPERM or ENOSYS. */

enum { DEEPEST = 64, MOST_LINKS = 40 };

static int open_at(int folder, const char *name, int flags)
{
    int fd;
    do { fd = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC); } while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

/* Takes the first part of `rest`, which may be empty at its end. */
static int take_part(char *rest, char *part, size_t size)
{
    char *start = rest + strspn(rest, "/");
    size_t length = strcspn(start, "/");
    if (length >= size) { return -ENAMETOOLONG; }
    memcpy(part, start, length);
    part[length] = 0;
    memmove(rest, start + length, strlen(start + length) + 1);
    return 0;
}

/* Puts a link's text before `rest`; the link itself is closed. */
static int take_link(int link, char *rest, size_t size)
{
    char text[PATH_MAX];
    char joined[PATH_MAX];
    ssize_t length = readlinkat(link, "", text, sizeof text - 1);
    int code = errno;
    close(link);
    if (length < 0) { return -code; }
    text[length] = 0;
    if (text[0] == '/') { return -EXDEV; }
    int total = snprintf(joined, sizeof joined, "%s%s", text, rest);
    if (total < 0 || (size_t)total >= sizeof joined || (size_t)total >= size) { return -ENAMETOOLONG; }
    memcpy(rest, joined, (size_t)total + 1);
    return 0;
}

int clinux_open_by_parts(int root, const char *path, int flags, int follows_links)
{
    /* Folders on the way: `..` goes back to the one before, whatever lies above it meanwhile. */
    int way[DEEPEST];
    int depth = 0, links = 0, result = 0;
    char rest[PATH_MAX], part[NAME_MAX + 1];
    if (strlen(path) >= sizeof rest) { return -ENAMETOOLONG; }
    if (path[0] == 0) { return -ENOENT; }
    if (path[0] == '/') { return -EXDEV; }
    memcpy(rest, path, strlen(path) + 1);
    for (;;) {
        int here = depth > 0 ? way[depth - 1] : root;
        result = take_part(rest, part, sizeof part);
        if (result < 0) { break; }
        if (part[0] == 0) {
            result = open_at(here, ".", flags);
            break;
        }
        if (strcmp(part, ".") == 0) { continue; }
        if (strcmp(part, "..") == 0) {
            if (depth == 0) { result = -EXDEV; break; }
            close(way[--depth]);
            continue;
        }
        struct stat facts;
        int place = open_at(here, part, O_PATH);
        if (place < 0) { result = place; break; }
        if (fstat(place, &facts) < 0) { result = -errno; close(place); break; }
        if (S_ISLNK(facts.st_mode)) {
            if (!follows_links || ++links > MOST_LINKS) { result = -ELOOP; close(place); break; }
            result = take_link(place, rest, sizeof rest);
            if (result < 0) { break; }
            continue;
        }
        if (rest[0] == 0) {
            if (flags & O_PATH) { result = place; break; }
            /* A link that came to lie there meanwhile is not followed. */
            close(place);
            result = open_at(here, part, flags);
            break;
        }
        if (depth == DEEPEST) { result = -ENAMETOOLONG; close(place); break; }
        way[depth++] = place;
    }
    while (depth > 0) { close(way[--depth]); }
    return result;
}

static int open_how(int folder, const char *path, int flags, uint64_t resolve)
{
    struct open_how how = {.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC), .resolve = resolve};
    long fd;
    do { fd = syscall(SYS_openat2, folder, path, &how, sizeof how); } while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : (int)fd;
}

static int is_refused(int result) { return result == -ENOSYS || result == -EPERM; }

int clinux_open_beneath(int folder, const char *path, int flags)
{
    int result = open_how(folder, path, flags, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
    return is_refused(result) ? clinux_open_by_parts(folder, path, flags, 1) : result;
}

int clinux_open_path_without_links(const char *path)
{
    /* Not O_NOFOLLOW: with it a last part that is a link would be opened itself (openat2(2)). */
    int result = open_how(AT_FDCWD, path, O_PATH, RESOLVE_NO_SYMLINKS);
    if (!is_refused(result) || path[0] != '/') { return result; }
    int root = open_at(AT_FDCWD, "/", O_PATH);
    if (root < 0) { return root; }
    const char *relative = path + strspn(path, "/");
    result = clinux_open_by_parts(root, *relative != 0 ? relative : ".", O_PATH, 0);
    close(root);
    return result;
}

static int open_to_read(const char *root, const char *path)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW;
    int place = clinux_open_path_without_links(root);
    if (place < 0) { return place; }
    if (path[0] == 0) {
        /* The root itself is the file: opened by its name in the folder that holds it, which may be trusted as much. */
        close(place);
        return open_at(AT_FDCWD, root, flags);
    }
    int result = open_how(place, path, flags, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
    if (is_refused(result)) { result = clinux_open_by_parts(place, path, flags, 0); }
    close(place);
    return result;
}

int clinux_open_as(unsigned user, unsigned group, const char *root, const char *path)
{
    if (user == 0) { return open_to_read(root, path); }
    /* To setfsuid and setfsgid these mean "no change". */
    if (user == (unsigned)-1 || group == (unsigned)-1) { return -EINVAL; }
    /* Raw calls: the C library's change every thread of the process. */
    gid_t groups[NGROUPS_MAX];
    int count = getgroups(NGROUPS_MAX, groups);
    if (count < 0 || syscall(SYS_setgroups, 0, NULL) < 0) { return -errno; }
    gid_t own = (gid_t)setfsgid(group);
    uid_t owner = (uid_t)setfsuid(user);
    int result = (uid_t)setfsuid((uid_t)-1) == user ? open_to_read(root, path) : -EPERM;
    setfsuid(owner);
    setfsgid(own);
    if (syscall(SYS_setgroups, count, groups) < 0) {
        if (result >= 0) { close(result); }
        return -errno;
    }
    return result;
}

int clinux_rename_new(int folder, const char *name, int new_folder, const char *new_name)
{
    long result = syscall(SYS_renameat2, folder, name, new_folder, new_name, 1u /* RENAME_NOREPLACE */);
    return result < 0 ? -errno : 0;
}
