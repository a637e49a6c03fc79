/* Mounts that a process makes for itself alone (mount_namespaces(7)). Every function returns 0, or -errno; each needs CAP_SYS_ADMIN. */
#ifndef CLINUX_MOUNTS_H
#define CLINUX_MOUNTS_H

/* From now on the process has mounts of its own. */
int clinux_own_mounts(void);

/* A file system in memory (tmpfs(5)). */
int clinux_mount_memory(const char *place, const char *options);

/* What is opened as `place` is that file from now on. */
int clinux_bind_file(const char *file, const char *place);

#endif
