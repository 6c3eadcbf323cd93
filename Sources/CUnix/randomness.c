#define _GNU_SOURCE
#include "CUnix.h"
#include <errno.h>
#include <sys/random.h>

int cunix_random_bytes(void *bytes, size_t count) {
    char *next = bytes;
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        next += got;
        count -= (size_t)got;
    }
    return 0;
}
