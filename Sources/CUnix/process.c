#define _GNU_SOURCE
#include "CUnix.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

static int place(posix_spawn_file_actions_t *actions, int descriptor, int at) {
    // One of the three that this process itself does not have.
    if (descriptor == at && fcntl(descriptor, F_GETFD) < 0) descriptor = -1;
    if (descriptor < 0)
        return posix_spawn_file_actions_addopen(actions, at, "/dev/null", O_RDWR, 0);
    // A descriptor put onto itself loses its close-on-exec flag, which is what is wanted here.
    return posix_spawn_file_actions_adddup2(actions, descriptor, at);
}

// Leaves a descriptor open in the child, under a number that scripts do not use, as far as there may be such a number.
static int hold(posix_spawn_file_actions_t *actions, int descriptor) {
    enum { FAR = 104 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= FAR) return 0;
    int failure = posix_spawn_file_actions_adddup2(actions, descriptor, FAR);
    return failure ? failure : posix_spawn_file_actions_addclose(actions, descriptor);
}

// Moves what the child has at one of the standard places to another one.
static int move(posix_spawn_file_actions_t *actions, int standard, int number) {
    if (number == standard) return 0;
    int failure = posix_spawn_file_actions_adddup2(actions, standard, number);
    return failure ? failure : place(actions, -1, standard);
}

// What the child has beyond its standard descriptors goes to the next free place first, so that the rest can be closed.
// Both lie beyond FIRST_FREE already, or are -1.
enum { FIRST_PLACE = 3, FIRST_FREE = 5 };

static int place_all(posix_spawn_file_actions_t *actions, const struct cunix_spawn_request *request,
                     int second_input, int held_file) {
    int end = FIRST_PLACE, second_place = -1, held_place = -1;
    int failure = place(actions, request->standard_input, 0);
    if (!failure) failure = place(actions, request->standard_output, 1);
    if (!failure) failure = place(actions, request->standard_error, 2);
    if (!failure && second_input >= 0) failure = place(actions, second_input, second_place = end++);
    if (!failure && held_file >= 0) failure = place(actions, held_file, held_place = end++);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(actions, end);
    if (!failure) failure = move(actions, 0, request->input_number);
    if (!failure) failure = move(actions, 1, request->output_number);
    if (!failure && request->output_number != 1)
        failure = posix_spawn_file_actions_adddup2(actions, 2, 1);
    if (!failure) failure = move(actions, 2, request->error_number);
    if (!failure && second_place >= 0) {
        failure = posix_spawn_file_actions_adddup2(actions, second_place, request->second_input_number);
        if (!failure) failure = posix_spawn_file_actions_addclose(actions, second_place);
    }
    if (!failure && held_place >= 0) failure = hold(actions, held_place);
    return failure;
}

// A duplicate beyond the places into which others go before it: -1 for none, -2 for an error.
static int duplicate(int descriptor) {
    if (descriptor < 0) return -1;
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_FREE);
    return copy < 0 ? -2 : copy;
}

static void close_both(int one, int other) {
    int code = errno;
    if (one >= 0) close(one);
    if (other >= 0) close(other);
    errno = code;
}

pid_t cunix_spawn(const struct cunix_spawn_request *request) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    pid_t child = -1;
    int failure, second_input = duplicate(request->second_input);
    int held_file = second_input == -2 ? -2 : duplicate(request->held_file);

    if (held_file == -2) {
        close_both(second_input, -1);
        return -1;
    }
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    failure = place_all(&actions, request, second_input, held_file);
    if (!failure && request->folder)
        failure = posix_spawn_file_actions_addchdir_np(&actions, request->folder);
    // GPGME ignores SIGPIPE for the whole process; children must not inherit that.
    if (!failure) failure = posix_spawnattr_setsigdefault(&attributes, &all);
    if (request->holds_end_signals) {
        sigaddset(&none, SIGTERM);
        sigaddset(&none, SIGHUP);
    }
    if (!failure) failure = posix_spawnattr_setsigmask(&attributes, &none);
    if (!failure) {
        short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
        if (request->new_session) flags |= POSIX_SPAWN_SETSID;
        failure = posix_spawnattr_setflags(&attributes, flags);
    }
    if (!failure)
        failure = posix_spawn(&child, request->program, &actions, &attributes,
                              (char *const *)request->arguments, (char *const *)request->environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close_both(second_input, held_file);
    if (failure) {
        errno = failure;
        return -1;
    }
    return child;
}

int cunix_exec(const char *program, const char *const *arguments, const char *const *environment) {
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    return execve(program, (char *const *)arguments, (char *const *)environment);
}

int cunix_process(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

void cunix_forbid_core_dumps(void) {
    struct rlimit none = {0, 0};
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    setrlimit(RLIMIT_CORE, &none);
}

char **cunix_environment(void) { return environ; }

// Swift reads them from /proc/self/cmdline, and where that cannot be read it has none: then every command would be the
// one that needs no words. glibc hands them to whatever runs before main.
static int argument_count;
static char **argument_words;

__attribute__((constructor)) static void keep_arguments(int count, char **words) {
    argument_count = count;
    argument_words = words;
}

int cunix_arguments(char ***words) {
    *words = argument_words;
    return argument_count;
}

// The runtime of a static executable looks for its own folder before main, by /proc/self/exe, and ends the process where
// there is no /proc. The variable spares it that; it is used for nothing but crash reports, which are off.
static const char root_variable[] = "SWIFT_ROOT";
static int is_root_ours;

__attribute__((constructor(101))) static void name_root(void) {
    char first;
    if (readlink("/proc/self/exe", &first, 1) < 0 && !getenv(root_variable))
        is_root_ours = !setenv(root_variable, "/", 0);
}

void cunix_forget_root(void) {
    if (is_root_ours) unsetenv(root_variable);
    is_root_ours = 0;
}
