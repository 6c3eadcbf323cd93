#define _GNU_SOURCE
#include "CUnix.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

const int cunix_set_lease = F_SETLEASE;

ssize_t cunix_read_folder(int folder, void *buffer, size_t size) { return getdents64(folder, buffer, size); }

int cunix_open_beneath(int folder, const char *path, int flags) {
    struct open_how how = {
        .flags = (uint64_t)flags | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int cunix_rename_no_replace(int old_folder, const char *old_name, int new_folder, const char *new_name) {
    if (renameat2(old_folder, old_name, new_folder, new_name, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL) return -1;
    // Not every file system knows the flag; NFS does not. A second name for a file is never made over another file.
    if (linkat(old_folder, old_name, new_folder, new_name, 0) == 0) return unlinkat(old_folder, old_name, 0);
    if (errno != EEXIST) errno = EINVAL;
    return -1;
}

// Where a program closed standard descriptors, a new one would get such a number: then what a child gets at one number
// would overwrite what it is to get at the next.
static int beyond_standard(int number) {
    if (number < 0 || number > 2) return number;
    int other = fcntl(number, F_DUPFD_CLOEXEC, 3);
    int failure = errno;
    close(number);
    errno = failure;
    return other;
}

int cunix_pipe(int numbers[2]) {
    if (pipe2(numbers, O_CLOEXEC) != 0) return -1;
    for (int end = 0; end < 2; end++) {
        numbers[end] = beyond_standard(numbers[end]);
        if (numbers[end] >= 0) continue;
        int failure = errno;
        close(numbers[!end]);
        errno = failure;
        return -1;
    }
    return 0;
}

int cunix_memory_file(const char *name) { return beyond_standard(memfd_create(name, MFD_CLOEXEC)); }

int cunix_openat(int folder, const char *path, int flags, mode_t mode) {
    return openat(folder, path, flags | O_CLOEXEC, mode);
}

const char *cunix_error_text(int code) {
    const char *text = strerrordesc_np(code);
    return text ? text : "Unknown error";
}

int cunix_take_turn(int folder, int depth) {
    struct flock turn = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = depth, .l_len = 1};
    if (fcntl(folder, F_OFD_SETLK, &turn) != 0) return -1;
    // A folder cannot be open for writing, and so its locks are those that several may hold. Each marks itself first and
    // then looks for others: of two that come concurrently at least one sees the other. A length of 0 is all that follows.
    turn = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = depth, .l_len = 0};
    int failure = fcntl(folder, F_OFD_GETLK, &turn) != 0 ? errno : turn.l_type != F_UNLCK ? EWOULDBLOCK : 0;
    if (!failure) return 0;
    errno = failure;
    return -1;
}

void cunix_yield_turn(int folder) {
    struct flock turn = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_len = 0};
    fcntl(folder, F_OFD_SETLK, &turn);
}

static int is_empty(int folder) {
    char names[4096];
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy < 0) return 0;
    ssize_t size = getdents64(copy, names, sizeof names);
    close(copy);
    // The folder itself and the one above it take 24 bytes each.
    return size >= 0 && size <= 48;
}

static int give(int file, uid_t owner, gid_t group) { return fchownat(file, "", owner, group, AT_EMPTY_PATH); }

void cunix_give_to_owner_of_folder(int folder, const char *name) {
    struct stat parent, own;
    if (geteuid() != 0 || fstat(folder, &parent) != 0 || parent.st_uid == 0) return;
    // The owner of the folder may have put something else in its place by now: a link to a file of root's, say, or a folder
    // of root's. Only what could have been made just now is given away.
    int file = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return;
    if (fstat(file, &own) == 0 && own.st_uid == 0 && (S_ISDIR(own.st_mode) ? is_empty(file) : own.st_nlink == 1))
        give(file, parent.st_uid, parent.st_gid);
    close(file);
}

void cunix_give_new_file(int folder, const char *name, int64_t since, uid_t owner, gid_t group) {
    struct stat own;
    int file = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return;
    if (fstat(file, &own) == 0 && own.st_uid == 0 && own.st_ctim.tv_sec >= since &&
        (S_ISDIR(own.st_mode) || (S_ISREG(own.st_mode) && own.st_nlink == 1)))
        give(file, owner, group);
    close(file);
}
