#define _GNU_SOURCE
#include "CUnix.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
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
