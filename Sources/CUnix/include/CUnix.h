// The handful of glibc calls that Swift's Glibc module hides, each under the prefix cunix_.
// Every function that returns int answers 0 or a result, or -1 with errno set, as the call it wraps.
#ifndef CUNIX_H
#define CUNIX_H

#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// --- files.c ---

// pipe2(2) with ends that are closed when another program is run, and are none of the standard descriptors.
int cunix_pipe(int numbers[2]);
// memfd_create(2), closed when another program is run, and none of the standard descriptors.
int cunix_memory_file(const char *name);
// getdents64(2).
ssize_t cunix_read_folder(int folder, void *buffer, size_t size);
// F_SETLEASE of fcntl(2).
extern const int cunix_set_lease;
// openat2(2) that stays below `folder` and follows no link; -1 with ENOSYS where the kernel lacks it.
int cunix_open_beneath(int folder, const char *path, int flags);
// renameat2(2) with RENAME_NOREPLACE.
int cunix_rename_no_replace(int old_folder, const char *old_name, int new_folder, const char *new_name);
// open(2) and openat(2) with a mode, which are variadic in C.
int cunix_openat(int folder, const char *path, int flags, mode_t mode);
// The turn to write in the open folder for a command that others wait for, `depth` of them in a row; F_OFD_SETLK of
// fcntl(2). Marks the open file description, and answers -1 with EWOULDBLOCK, marked all the same, while another one is
// marked with this depth or a greater one. The mark ends with the description, or when the turn is yielded.
int cunix_take_turn(int folder, int depth);
void cunix_yield_turn(int folder);
// As root: gives what was just made under this name to the owner and the group of the folder that it lies in. Whoever else
// calls it, or where that is root's folder, nothing happens.
void cunix_give_to_owner_of_folder(int folder, const char *name);
// As root: gives a file or folder of root's that was made since a time (in seconds since 1970) to a user and a group.
void cunix_give_new_file(int folder, const char *name, int64_t since, uid_t owner, gid_t group);
// The system's text for an error number, in English and safe on every thread.
const char *cunix_error_text(int code);

// --- process.c ---

// How cunix_spawn starts a child. Descriptors: -1 means /dev/null.
struct cunix_spawn_request {
    const char *program;
    const char *const *arguments;
    const char *const *environment;
    const char *folder;       // or NULL: the caller's
    int standard_input;
    int input_number;         // where the child gets standard_input: at 0, or beyond 4, and /dev/null at 0
    int standard_output;
    int output_number;        // the same for 1, which is the error output then
    int standard_error;
    int error_number;         // the same for 2
    int second_input;         // or -1 for none
    int second_input_number;  // where the child gets that, beyond 4
    int held_file;            // what the child holds open beyond its standard descriptors; -1 for nothing
    int new_session;          // setsid: outlives the terminal
    int holds_end_signals;    // TERM and HUP are blocked, until the child takes them
};

// posix_spawn(3): default signal actions and an empty signal mask, no other descriptor inherited.
// Answers the child's id, or -1 with errno set.
pid_t cunix_spawn(const struct cunix_spawn_request *request);
// Restores default signals and replaces this process; answers -1 only.
int cunix_exec(const char *program, const char *const *arguments, const char *const *environment);
// pidfd_open(2): a descriptor that can be read once the process has ended.
int cunix_process(pid_t pid);
// PR_SET_DUMPABLE 0 and RLIMIT_CORE 0.
void cunix_forbid_core_dumps(void);
// The environment of this process.
char **cunix_environment(void);
// The words that this process was started with: their number, and in `words` the words.
int cunix_arguments(char ***words);

// Takes back what made the start of a static executable possible without /proc, so that no child sees it.
void cunix_forget_root(void);

// --- interruption.c ---

// From now on INT, TERM, HUP and QUIT first put the terminal back and remove the registered files, then end the process
// as the signal's default action does. Children can be waited for, whatever SIGCHLD was set to.
void cunix_interruption_install(void);
// Registers what is at a path below an open folder (-1: an absolute path) now for removal, a folder with all that is in it
// then, after files without another name were overwritten if it is on a disk, or only if it is empty then. What has the name
// by then and is another file or folder stays. With a folder goes the file `record`, unless NULL. Answers a slot, or NULL
// when nothing is there, and for lack of memory. Folders that are not empty go at the program's exit, too.
enum cunix_kind { CUNIX_FILE, CUNIX_FOLDER, CUNIX_EMPTY_FOLDER, CUNIX_FOLDER_ON_DISK };
struct cunix_slot;
struct cunix_slot *cunix_interruption_register(int folder, const char *name, enum cunix_kind kind,
                                               const char *record);
void cunix_interruption_unregister(struct cunix_slot *slot);
// Gives the terminal on `descriptor` these settings. Its former ones come back with the other function, with a signal that
// ends the process, and for as long as the process is stopped. With `screen` not -1, what is pasted is marked meanwhile, by
// what is written there. `settings` are a struct termios, whose Swift name is Glibc's.
int cunix_typing_begin(int descriptor, int screen, const void *settings);
void cunix_typing_end(void);
// Whether the process was stopped and continued since the last call.
int cunix_typing_resumed(void);
// Blocks INT, TERM, HUP and QUIT on this thread (1), or lets them through again (0). Calls nest.
void cunix_interruption_hold(int hold);
// Whether a signal is held back now.
int cunix_interruption_is_pending(void);
// Waits for the child `pid` and puts its wait status in *status; -1 with ECHILD where somebody else has taken that, or
// SIGCHLD is ignored. A signal that is held back meanwhile is passed on to a child that does not end within two seconds.
int cunix_wait(pid_t pid, int *status);
// Ends the child `pid` by TERM, and by KILL if it has not ended within two seconds, and takes its status.
void cunix_end(pid_t pid);
// Waits as cunix_wait does while INT and QUIT are ignored and TERM and HUP are held; *signal is the signal that came
// meanwhile, or 0.
int cunix_wait_interruptibly(pid_t pid, int *status, int *signal);
// Keeps SIGPIPE from this thread, until the other function gets what this one answered: what came meanwhile has no effect.
int cunix_hold_pipe_signal(void);
void cunix_release_pipe_signal(int hold);

// --- sockets.c ---

// Sockets of this user's processes by names in an open folder; only other processes of this user get a connection.
int cunix_listen(int folder, const char *name);
int cunix_connect(int folder, const char *name);
int cunix_accept(int listener);
// shutdown(2) of the writing side.
int cunix_end_writing(int number);
// Blocks TERM and HUP, and answers a descriptor that can be read once one has come.
int cunix_hold_end_signals(void);

// --- characters.c ---

// The length of the character that `bytes` start with in the encoding of `locale`, and whether it can be printed.
// A byte that begins no character is one of its own, which cannot be printed. `count` is at least 1.
// Of encodings other than UTF-8 every byte is a character.
size_t cunix_next_character(locale_t locale, const char *bytes, size_t count, int *printable);
// wcwidth(3) in the encoding of `locale`, which must be one of Unicode.
int cunix_character_width(locale_t locale, uint32_t character);
// The name of the encoding of `locale`.
const char *cunix_codeset(locale_t locale);

// --- randomness.c ---

// Fills `bytes` from getrandom(2), however many calls it takes.
int cunix_random_bytes(void *bytes, size_t count);

#endif
