#include "CLinuxQuota.h"
#include <errno.h>
#include <linux/dqblk_xfs.h>
#include <linux/fs.h>
#include <linux/quota.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int quota(int fd, unsigned command, uint32_t project, void *address) {
    return syscall(SYS_quotactl_fd, fd, QCMD(command, PRJQUOTA), project, address) < 0 ? -errno : 0;
}

int clinux_project(int fd, uint32_t *out_project, int *out_is_inherited) {
    struct fsxattr facts;
    if (ioctl(fd, FS_IOC_FSGETXATTR, &facts) < 0) { return -errno; }
    *out_project = facts.fsx_projid;
    *out_is_inherited = (facts.fsx_xflags & FS_XFLAG_PROJINHERIT) != 0;
    return 0;
}

int clinux_set_project(int fd, uint32_t project, int is_inherited) {
    struct fsxattr facts;
    /* What else it says is to stay. */
    if (ioctl(fd, FS_IOC_FSGETXATTR, &facts) < 0) { return -errno; }
    facts.fsx_projid = project;
    facts.fsx_xflags &= ~(uint32_t)FS_XFLAG_PROJINHERIT;
    if (is_inherited) { facts.fsx_xflags |= FS_XFLAG_PROJINHERIT; }
    return ioctl(fd, FS_IOC_FSSETXATTR, &facts) < 0 ? -errno : 0;
}

int clinux_projects_are_limited(int fd) {
    fs_quota_stat_t state;
    memset(&state, 0, sizeof state);
    int result = quota(fd, Q_XGETQSTAT, 0, &state);
    return result < 0 ? result : (state.qs_flags & FS_QUOTA_PDQ_ENFD) != 0;
}

int clinux_project_usage(int fd, uint32_t project, clinux_project_usage_t *out_usage) {
    struct if_dqblk facts;
    memset(&facts, 0, sizeof facts);
    int result = quota(fd, Q_GETQUOTA, project, &facts);
    if (result < 0 && result != -ENOENT) { return result; } /* XFS keeps nothing for a number without files */
    out_usage->bytes = facts.dqb_curspace;
    out_usage->limit = facts.dqb_bhardlimit * QIF_DQBLKSIZE;
    out_usage->files = facts.dqb_curinodes;
    return 0;
}

int clinux_limit_project(int fd, uint32_t project, uint64_t bytes) {
    struct if_dqblk facts;
    memset(&facts, 0, sizeof facts);
    facts.dqb_bhardlimit = bytes / QIF_DQBLKSIZE + (bytes % QIF_DQBLKSIZE != 0);
    facts.dqb_valid = QIF_BLIMITS;
    return quota(fd, Q_SETQUOTA, project, &facts);
}
