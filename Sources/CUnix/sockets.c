#define _GNU_SOURCE
#include "CUnix.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// An address holds 107 bytes; by its descriptor a folder may lie deeper.
static int local_socket(int folder, const char *name, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    int length = snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static int closing(int number) {
    int failure = errno;
    close(number);
    errno = failure;
    return -1;
}

static int is_ours(int number) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

int cunix_listen(int folder, const char *name) {
    struct sockaddr_un address;
    int number = local_socket(folder, name, &address);
    if (number < 0) return -1;
    if (bind(number, (struct sockaddr *)&address, sizeof address) != 0 || listen(number, 8) != 0)
        return closing(number);
    return number;
}

int cunix_connect(int folder, const char *name) {
    struct sockaddr_un address;
    int number = local_socket(folder, name, &address);
    if (number < 0) return -1;
    if (connect(number, (struct sockaddr *)&address, sizeof address) != 0) return closing(number);
    if (is_ours(number)) return number;
    errno = EACCES;
    return closing(number);
}

int cunix_accept(int listener) {
    int number = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (number < 0 || is_ours(number)) return number;
    errno = EACCES;
    return closing(number);
}

int cunix_end_writing(int number) { return shutdown(number, SHUT_WR); }

int cunix_hold_end_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC);
}
