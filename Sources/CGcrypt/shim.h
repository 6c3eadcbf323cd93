#ifndef CGCRYPT_SHIM_H
#define CGCRYPT_SHIM_H

#include <gcrypt.h>
#include <string.h>

/* gcry_control takes any number of arguments, and Swift imports no such function. */

/* Starts libgcrypt once per process, with memory for secrets that is locked where that is allowed and without a
   warning where it is not. Returns 0 when the library is older than the headers it was built with promise. */
static inline int cgcrypt_start(void) {
    if (!gcry_check_version("1.8.0")) return 0;
    if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) return 1;
    gcry_control(GCRYCTL_DISABLE_SECMEM_WARN);
    gcry_control(GCRYCTL_INIT_SECMEM, 16384, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return 1;
}

/* Writes the HMAC of a message to digest, which holds gcry_md_get_algo_dlen(algorithm) bytes. */
static inline gcry_error_t cgcrypt_hmac(int algorithm, const void *key, size_t key_length, const void *message,
                                        size_t message_length, void *digest) {
    gcry_md_hd_t handle;
    gcry_error_t error = gcry_md_open(&handle, algorithm, GCRY_MD_FLAG_HMAC | GCRY_MD_FLAG_SECURE);
    if (error) return error;
    error = gcry_md_setkey(handle, key, key_length);
    if (!error) {
        gcry_md_write(handle, message, message_length);
        memcpy(digest, gcry_md_read(handle, algorithm), gcry_md_get_algo_dlen(algorithm));
    }
    gcry_md_close(handle);
    return error;
}

#endif
