#define _GNU_SOURCE
#include "CUnix.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

// Everything that the handler reads is written before the slot's state says so. The handler calls functions that
// signal-safety(7) lists, and nothing else.

enum { FREE, BEING_WRITTEN, A_FILE, A_FOLDER, AN_EMPTY_FOLDER, A_FOLDER_ON_DISK };

// A list that only grows, at its head; a slot that is free again is used again. A name that grows out of its memory
// keeps it, behind the new one: the handler may be reading it.
struct name {
    struct name *outgrown;
    size_t capacity;
    char text[];
};
struct cunix_slot {
    struct cunix_slot *next;
    atomic_int state;
    int folder;
    pid_t owner;
    // Which file or folder it is; no inode is 0.
    dev_t device;
    ino_t inode;
    struct name *name;
    // A file that goes with it; empty for none.
    struct name *record;
};
static struct cunix_slot *_Atomic slots;

static atomic_int terminal = -1;
static struct termios terminal_settings, typing_settings;
static int typing_screen;
static volatile sig_atomic_t has_resumed;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { SIGNALS = sizeof signals / sizeof *signals };

// Overwrites a regular file with zeroes, and makes sure that they reach the disk. One that has another name too is
// somebody's there.
static void overwrite(int folder, const char *name) {
    static const char zeroes[4096];
    struct stat status;
    int file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1) {
        for (off_t rest = status.st_size; rest > 0;) {
            ssize_t put = write(file, zeroes, rest < (off_t)sizeof zeroes ? (size_t)rest : sizeof zeroes);
            if (put <= 0) break;
            rest -= put;
        }
        fsync(file);
    }
    close(file);
}

static int is_same(const struct stat *status, dev_t device, ino_t inode) {
    return !inode || (status->st_dev == device && status->st_ino == inode);
}

// Removes a folder with what is in it, if it is the one that is meant; inode 0 means any. `levels` bounds how deep it
// goes. Answers whether it is gone.
static int remove_folder(int parent, const char *name, int levels, int overwriting, dev_t device, ino_t inode) {
    struct entry {
        uint64_t inode;
        int64_t offset;
        unsigned short length;
        unsigned char type;
        char name[];
    };
    _Alignas(struct entry) char block[1024];
    struct stat status;
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
        if (fstat(folder, &status) != 0 || !is_same(&status, device, inode)) {
            close(folder);
            return 1;
        }
        for (int removed = 1; removed;) {
            long got;
            removed = 0;
            lseek(folder, 0, SEEK_SET);
            while ((got = syscall(SYS_getdents64, folder, block, sizeof block)) > 0) {
                for (long at = 0; at < got;) {
                    const struct entry *entry = (const struct entry *)(block + at);
                    at += entry->length;
                    if (!strcmp(entry->name, ".") || !strcmp(entry->name, "..")) continue;
                    if (overwriting) overwrite(folder, entry->name);
                    if (unlinkat(folder, entry->name, 0) == 0) {
                        removed = 1;
                    } else if (levels > 0) {
                        remove_folder(folder, entry->name, levels - 1, overwriting, 0, 0);
                    }
                }
            }
        }
        close(folder);
    }
    return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

enum { LEVELS = 8 };

static int parent_of(const struct cunix_slot *slot) { return slot->folder < 0 ? AT_FDCWD : slot->folder; }

// Whether what has the name is still what was registered.
static int is_there(const struct cunix_slot *slot) {
    struct stat status;
    return fstatat(parent_of(slot), slot->name->text, &status, AT_SYMLINK_NOFOLLOW) == 0
           && is_same(&status, slot->device, slot->inode);
}

static void remove_slot_folder(const struct cunix_slot *slot, int overwriting) {
    int is_gone =
        remove_folder(parent_of(slot), slot->name->text, LEVELS, overwriting, slot->device, slot->inode);
    // What could not be removed stays known.
    if (is_gone && slot->record && *slot->record->text) unlink(slot->record->text);
}

// xterm's bracketed paste: the terminal says where a pasted text begins and ends.
static void mark_pastes(int on) {
    if (typing_screen < 0) return;
    // A terminal that does not take it shows nothing of it, and does without.
    ssize_t written = write(typing_screen, on ? "\033[?2004h" : "\033[?2004l", 8);
    (void)written;
}

static int set_terminal(int descriptor, int how, const struct termios *settings) {
    // In the background the process is stopped first, and the call interrupted when it goes on.
    int result;
    while ((result = tcsetattr(descriptor, how, settings)) != 0 && errno == EINTR) {}
    return result;
}

// Whether the terminal is another job's now, which has it as that job wants it.
static int is_in_background(int descriptor) {
    pid_t foreground = tcgetpgrp(descriptor);
    return foreground > 0 && foreground != getpgrp();
}

static void put_terminal_back(int how) {
    int descriptor = atomic_load(&terminal);
    if (descriptor < 0 || is_in_background(descriptor)) return;
    mark_pastes(0);
    set_terminal(descriptor, how, &terminal_settings);
}

static void clean_up(void) {
    put_terminal_back(TCSANOW);
    for (struct cunix_slot *slot = atomic_load(&slots); slot; slot = slot->next) {
        switch (atomic_load(&slot->state)) {
        case A_FILE:
            if (is_there(slot)) unlinkat(parent_of(slot), slot->name->text, 0);
            break;
        case A_FOLDER: remove_slot_folder(slot, 0); break;
        case A_FOLDER_ON_DISK: remove_slot_folder(slot, 1); break;
        }
    }
    // One may lie in another, and they are in no order.
    for (int removed = 1; removed;) {
        removed = 0;
        for (struct cunix_slot *slot = atomic_load(&slots); slot; slot = slot->next) {
            if (atomic_load(&slot->state) == AN_EMPTY_FOLDER && is_there(slot)
                && unlinkat(parent_of(slot), slot->name->text, AT_REMOVEDIR) == 0)
                removed = 1;
        }
    }
}

static void end_by(int number) {
    sigset_t set;
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void interrupted(int number) {
    clean_up();
    end_by(number);
}

void cunix_interruption_install(void) {
    // Whoever started us may not have wanted to hear of children; we must, as an ignored end leaves no status.
    signal(SIGCHLD, SIG_DFL);
    struct sigaction action = {.sa_handler = interrupted, .sa_flags = SA_RESTART};
    struct sigaction old;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        // A signal that the caller chose to ignore (nohup, a shell's background job) stays ignored.
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
        sigaction(signals[i], &action, NULL);
    }
}

// A folder may be held by something that lives as long as the program, and so is never released.
static void remove_folders_at_exit(void) {
    for (struct cunix_slot *slot = atomic_load(&slots); slot; slot = slot->next) {
        int state = atomic_load(&slot->state);
        // A child that a program forked must leave its parent's alone.
        if ((state == A_FOLDER || state == A_FOLDER_ON_DISK) && slot->owner == getpid())
            remove_slot_folder(slot, state == A_FOLDER_ON_DISK);
    }
}

static pthread_once_t at_exit = PTHREAD_ONCE_INIT;
static void register_at_exit(void) { atexit(remove_folders_at_exit); }

static int set_name(struct name **place, const char *text) {
    size_t size = strlen(text) + 1;
    if (!*place || size > (*place)->capacity) {
        struct name *name = malloc(sizeof *name + size);
        if (!name) return -1;
        name->outgrown = *place;
        name->capacity = size;
        *place = name;
    }
    memcpy((*place)->text, text, size);
    return 0;
}

struct cunix_slot *cunix_interruption_register(int folder, const char *name, enum cunix_kind kind,
                                               const char *record) {
    struct cunix_slot *slot;
    struct stat status;
    for (slot = atomic_load(&slots); slot; slot = slot->next) {
        int state = FREE;
        if (atomic_compare_exchange_strong(&slot->state, &state, BEING_WRITTEN)) break;
    }
    if (!slot) {
        slot = calloc(1, sizeof *slot);
        if (!slot) return NULL;
        atomic_store(&slot->state, BEING_WRITTEN);
        slot->next = atomic_load(&slots);
        while (!atomic_compare_exchange_weak(&slots, &slot->next, slot)) {}
    }
    slot->folder = folder;
    slot->owner = getpid();
    slot->device = 0;
    slot->inode = 0;
    if (set_name(&slot->name, name) != 0 || set_name(&slot->record, record ? record : "") != 0
        || fstatat(parent_of(slot), name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        atomic_store(&slot->state, FREE);
        return NULL;
    }
    slot->device = status.st_dev;
    slot->inode = status.st_ino;
    atomic_store(&slot->state, A_FILE + (int)kind);
    if (kind == CUNIX_FOLDER || kind == CUNIX_FOLDER_ON_DISK) pthread_once(&at_exit, register_at_exit);
    return slot;
}

void cunix_interruption_unregister(struct cunix_slot *slot) {
    if (slot) atomic_store(&slot->state, FREE);
}

static void type_anew(void) {
    int descriptor = atomic_load(&terminal);
    if (descriptor < 0 || set_terminal(descriptor, TCSANOW, &typing_settings) != 0) return;
    mark_pastes(1);
    has_resumed = 1;
}

static void continued(int number) {
    int failure = errno;
    (void)number;
    type_anew();
    errno = failure;
}

static void stopped(int number) {
    int failure = errno;
    struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
    sigset_t set, old;
    put_terminal_back(TCSANOW);
    sigaction(number, &standard, &ours);
    raise(number);
    sigemptyset(&set);
    sigaddset(&set, number);
    // Here the process stops. Where nothing could continue it, in a group without a shell, the kernel does not stop it.
    pthread_sigmask(SIG_UNBLOCK, &set, &old);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    sigaction(number, &ours, NULL);
    type_anew();
    errno = failure;
}

static struct sigaction before_stop, before_continue;

int cunix_typing_begin(int descriptor, int screen, const void *settings) {
    struct sigaction stop = {.sa_handler = stopped}, resume = {.sa_handler = continued};
    if (tcgetattr(descriptor, &terminal_settings) != 0) return -1;
    memcpy(&typing_settings, settings, sizeof typing_settings);
    typing_screen = screen;
    atomic_store(&terminal, descriptor);
    // Without SA_RESTART: who reads is to show the line anew.
    sigemptyset(&stop.sa_mask);
    sigemptyset(&resume.sa_mask);
    sigaction(SIGTSTP, NULL, &before_stop);
    sigaction(SIGCONT, &resume, &before_continue);
    if (before_stop.sa_handler != SIG_IGN) sigaction(SIGTSTP, &stop, NULL);
    if (set_terminal(descriptor, TCSADRAIN, &typing_settings) != 0) {
        int failure = errno;
        cunix_typing_end();
        errno = failure;
        return -1;
    }
    mark_pastes(1);
    // What was stopped before was not asking yet.
    has_resumed = 0;
    return 0;
}

void cunix_typing_end(void) {
    put_terminal_back(TCSADRAIN);
    atomic_store(&terminal, -1);
    sigaction(SIGTSTP, &before_stop, NULL);
    sigaction(SIGCONT, &before_continue, NULL);
}

int cunix_typing_resumed(void) {
    int resumed = has_resumed;
    has_resumed = 0;
    return resumed;
}

static _Thread_local int held;
enum { HELD_NOW = 1, HELD_BEFORE = 2 };

void cunix_interruption_hold(int hold) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < SIGNALS; i++) sigaddset(&set, signals[i]);
    if (hold) {
        if (held++ == 0) pthread_sigmask(SIG_BLOCK, &set, NULL);
    } else if (--held == 0) {
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    }
}

int cunix_hold_pipe_signal(void) {
    sigset_t set, old, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    // One that waits already is the program's own, and must outlive us.
    if (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1) return 0;
    pthread_sigmask(SIG_BLOCK, &set, &old);
    return sigismember(&old, SIGPIPE) == 1 ? HELD_BEFORE : HELD_NOW;
}

void cunix_release_pipe_signal(int hold) {
    struct timespec none = {0, 0};
    sigset_t set;
    if (!hold) return;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    while (sigtimedwait(&set, NULL, &none) < 0 && errno == EINTR) {}
    if (hold == HELD_NOW) pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static int held_signal(void) {
    sigset_t pending;
    if (sigpending(&pending) != 0) return 0;
    for (int i = 0; i < SIGNALS; i++)
        if (sigismember(&pending, signals[i]) == 1) return signals[i];
    return 0;
}

int cunix_interruption_is_pending(void) { return held && held_signal(); }

int cunix_wait(pid_t pid, int *status) {
    enum { NAP = 50, PATIENCE = 2000 }; // milliseconds
    int waited = 0;
    pid_t ended = 0;
    if (held) {
        // Kernels before 5.3 have no such descriptor, and a poll of none is a plain nap.
        struct pollfd child = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
        while (poll(&child, 1, child.fd < 0 ? 2 : NAP) <= 0) {
            int number = held_signal();
            // The wait below sees the same, an error included.
            if ((ended = waitpid(pid, status, WNOHANG)) != 0) break;
            if (!number) continue;
            waited += child.fd < 0 ? 2 : NAP;
            if (waited >= PATIENCE) {
                kill(pid, number);
                waited = 0;
            }
        }
        if (child.fd >= 0) close(child.fd);
        if (ended == pid) return 0;
    }
    while ((ended = waitpid(pid, status, 0)) < 0 && errno == EINTR) {}
    return ended == pid ? 0 : -1;
}

void cunix_end(pid_t pid) {
    enum { NAP = 2, PATIENCE = 2000 }; // milliseconds
    siginfo_t information;
    int status;
    // Once somebody else has taken its end, another process may have the number.
    if (waitid(P_PID, pid, &information, WEXITED | WNOHANG | WNOWAIT) != 0) return;
    kill(pid, SIGTERM);
    for (int waited = 0; waitpid(pid, &status, WNOHANG) == 0; waited += NAP) {
        if (waited == PATIENCE) kill(pid, SIGKILL);
        poll(NULL, 0, NAP);
    }
}

int cunix_wait_interruptibly(pid_t pid, int *status, int *signal_number) {
    struct timespec nap = {0, 20 * 1000 * 1000}, none = {0, 0};
    sigset_t set, old;
    siginfo_t information;
    int number, failure = 0;

    *signal_number = 0;
    *status = 0;
    sigemptyset(&set);
    for (int i = 0; i < SIGNALS; i++) sigaddset(&set, signals[i]);
    sigaddset(&set, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    for (;;) {
        pid_t ended = waitpid(pid, status, WNOHANG);
        if (ended < 0 && errno != EINTR) failure = errno;
        if (ended == pid || failure) break;
        number = sigtimedwait(&set, &information, &nap);
        // An editor may pass its own interrupt on to the group; only TERM and HUP are meant for us.
        if (number == SIGTERM || number == SIGHUP) {
            *signal_number = number;
            break;
        }
    }
    // What came just before the child's end has not been seen yet, and is taken the same way.
    while ((number = sigtimedwait(&set, &information, &none)) > 0)
        if (number == SIGTERM || number == SIGHUP) *signal_number = number;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = failure;
    return failure ? -1 : 0;
}
