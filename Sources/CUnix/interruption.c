#define _GNU_SOURCE
#include "CUnix.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

// Everything that the handler reads is written before the slot's state says so. The handler calls functions that
// signal-safety(7) lists, and nothing else.

enum { LONGEST_NAME = 512 };

// A list that only grows, at its head; a slot that is free again is used again.
struct cunix_slot {
    struct cunix_slot *next;
    atomic_int state; // 0 free, 1 being written, 2 registered
    int folder;
    char name[LONGEST_NAME];
};
static struct cunix_slot *_Atomic slots;

static atomic_int terminal = -1;
static struct termios terminal_settings;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static void clean_up(void) {
    int descriptor = atomic_load(&terminal);
    if (descriptor >= 0) tcsetattr(descriptor, TCSANOW, &terminal_settings);
    for (struct cunix_slot *slot = atomic_load(&slots); slot; slot = slot->next)
        if (atomic_load(&slot->state) == 2)
            unlinkat(slot->folder < 0 ? AT_FDCWD : slot->folder, slot->name, 0);
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
    struct sigaction action = {.sa_handler = interrupted, .sa_flags = SA_RESTART};
    struct sigaction old;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        // A signal that the caller chose to ignore (nohup, a shell's background job) stays ignored.
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
        sigaction(signals[i], &action, NULL);
    }
}

struct cunix_slot *cunix_interruption_register(int folder, const char *name) {
    size_t length = strlen(name);
    struct cunix_slot *slot;
    if (length >= LONGEST_NAME) return NULL;
    for (slot = atomic_load(&slots); slot; slot = slot->next) {
        int free = 0;
        if (atomic_compare_exchange_strong(&slot->state, &free, 1)) break;
    }
    if (!slot) {
        slot = calloc(1, sizeof *slot);
        if (!slot) return NULL;
        atomic_store(&slot->state, 1);
        slot->next = atomic_load(&slots);
        while (!atomic_compare_exchange_weak(&slots, &slot->next, slot)) {}
    }
    slot->folder = folder;
    memcpy(slot->name, name, length + 1);
    atomic_store(&slot->state, 2);
    return slot;
}

void cunix_interruption_unregister(struct cunix_slot *slot) {
    if (slot) atomic_store(&slot->state, 0);
}

int cunix_interruption_keep_terminal(int descriptor) {
    if (descriptor >= 0 && tcgetattr(descriptor, &terminal_settings) != 0) return -1;
    atomic_store(&terminal, descriptor);
    return 0;
}

static _Thread_local int held;

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

int cunix_wait_interruptibly(pid_t pid, int *signal_number) {
    struct timespec nap = {0, 20 * 1000 * 1000};
    sigset_t set, old;
    siginfo_t information;
    int status = 0;

    *signal_number = 0;
    sigemptyset(&set);
    for (int i = 0; i < SIGNALS; i++) sigaddset(&set, signals[i]);
    sigaddset(&set, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    for (;;) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR)) break;
        int number = sigtimedwait(&set, &information, &nap);
        // An editor may pass its own interrupt on to the group; only TERM and HUP are meant for us.
        if (number == SIGTERM || number == SIGHUP) {
            *signal_number = number;
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return status;
}

void cunix_sleep_until_terminated(double seconds) {
    // More than the kernel takes is for ever, as far as anybody will see.
    double longest = 1e9;
    if (seconds > longest) seconds = longest;
    struct timespec rest = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    while (sigtimedwait(&set, NULL, &rest) < 0 && errno == EINTR) {}
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}
