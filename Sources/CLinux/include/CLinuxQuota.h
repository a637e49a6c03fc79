/*
 * Project quotas: what the file system counts for all files of one number, and refuses beyond a limit (quotactl(2), and
 * FS_IOC_FSSETXATTR of ioctl_xfs_fsgetxattr(2)). Every function returns a result >= 0, or -errno. Descriptors have to be
 * open for reading; O_PATH will not do.
 */
#ifndef CLINUX_QUOTA_H
#define CLINUX_QUOTA_H

#include <stdint.h>

typedef struct {
    uint64_t bytes;
    /* In bytes; 0: none. */
    uint64_t limit;
    uint64_t files;
} clinux_project_usage_t;

/* The project of a file or folder (0: none), and whether files created in the folder inherit it. */
int clinux_project(int fd, uint32_t *out_project, int *out_is_inherited);
int clinux_set_project(int fd, uint32_t project, int is_inherited);
/* 1 when the file system of `fd` refuses writes beyond a project's limit, 0 when it only counts. ENOSYS and others
 * where it does neither, or the kernel is older than 5.14. Requires no privilege. */
int clinux_projects_are_limited(int fd);
/* Requires CAP_SYS_ADMIN, as does the next. An unused project has zeros. */
int clinux_project_usage(int fd, uint32_t project, clinux_project_usage_t *out_usage);
/* Rounded up to whole KiB. It also makes the kernel announce its next refusal, which it does once otherwise. */
int clinux_limit_project(int fd, uint32_t project, uint64_t bytes);

#endif
