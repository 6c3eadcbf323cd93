// What the thread sanitizer has to know of Swift's Mutex on Linux.
//
// A Mutex that nobody holds is taken by an atomic instruction, which is compiled into the caller, and which the
// sanitizer sees. One that is held is waited for by `_lockSlow` of libswiftSynchronization, where the kernel hands it
// over (FUTEX_LOCK_PI): nothing of that is instrumented, and so whatever two threads do one after the other under the
// mutex looks like a race. These two functions stand before those of the library and say what they do. Nothing is
// suppressed: a race beside a mutex, or under two, is still found. `race.swift` shows both.
//
// Loaded by LD_PRELOAD; see the target sanitize of the Makefile.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// There in a program that is built for the sanitizer.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

// Synchronization._MutexHandle._lockSlow(UInt32) and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    SWIFT void (*original)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
    original(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    SWIFT void (*original)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    original(mutex);
}
