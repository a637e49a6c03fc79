/*
 * What OpenSSL 3 does for the Swift module CryptoKit. Its libcrypto is mapped at the first use: a plugin without one neither
 * loads it nor needs it. No lengths are checked here but where a comment says so. Pointers may be NULL where a length is 0.
 */
#ifndef TASKHOST_CCRYPTOKIT_H
#define TASKHOST_CCRYPTOKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What functions return. Numbers above 0 are OpenSSL's error codes. OpenSSL's own queue of errors stays as it was. */
enum {
    TASKHOST_CRYPTO_DONE = 0,
    /* There is no usable libcrypto: taskhost_crypto_fault says why. */
    TASKHOST_CRYPTO_MISSING = -1,
    /* The input is not valid, or does not verify. */
    TASKHOST_CRYPTO_REFUSED = -2,
};

/* Why libcrypto cannot be used, as one sentence, valid for ever; NULL: it can. */
const char *_Nullable taskhost_crypto_fault(void);

/* Overwrites memory, in a way that compilers do not leave out. Needs no libcrypto. */
void taskhost_crypto_wipe(void *_Nonnull bytes, size_t length);
/* Random bytes of the kernel. False with errno, when it gives none. Needs no libcrypto. */
bool taskhost_crypto_random(void *_Nonnull bytes, size_t length);
/* Whether bytes are equal, in a time that depends on their number alone. Needs no libcrypto. */
bool taskhost_crypto_equal(const void *_Nullable a, const void *_Nullable b, size_t length);

/* Hash functions. */
enum {
    TASKHOST_CRYPTO_MD5,
    TASKHOST_CRYPTO_SHA1,
    TASKHOST_CRYPTO_SHA256,
    TASKHOST_CRYPTO_SHA384,
    TASKHOST_CRYPTO_SHA512,
};
typedef struct evp_md_ctx_st *taskhost_crypto_hash;
/* NULL without libcrypto or memory. */
taskhost_crypto_hash _Nullable taskhost_crypto_hash_new(int32_t function);
taskhost_crypto_hash _Nullable taskhost_crypto_hash_copy(taskhost_crypto_hash _Nonnull hash);
void taskhost_crypto_hash_free(taskhost_crypto_hash _Nonnull hash);
bool taskhost_crypto_hash_update(taskhost_crypto_hash _Nonnull hash, const void *_Nullable bytes, size_t length);
/* The digest of what came so far. The hash can only be freed after that. */
bool taskhost_crypto_hash_final(taskhost_crypto_hash _Nonnull hash, void *_Nonnull out_digest);

/* Ciphers. Those of AES are told apart by the length of the key: 16, 24 or 32. */
enum {
    TASKHOST_CRYPTO_AES_GCM,
    TASKHOST_CRYPTO_AES_WRAP,
    TASKHOST_CRYPTO_CHACHA_POLY,
};
enum { TASKHOST_CRYPTO_TAG_LENGTH = 16 };
typedef struct {
    int32_t cipher;
    const void *_Nonnull key;
    size_t key_length;
    const void *_Nonnull nonce;
    size_t nonce_length;
    const void *_Nullable authenticated;
    size_t authenticated_length;
} taskhost_crypto_box;
/* Encrypts; `out` gets as many bytes as there are. */
int32_t taskhost_crypto_seal(const taskhost_crypto_box *_Nonnull box, const void *_Nullable bytes, size_t length,
                             void *_Nullable out, void *_Nonnull out_tag);
/* Decrypts. Refused, with `out` wiped, when the tag is another. */
int32_t taskhost_crypto_open(const taskhost_crypto_box *_Nonnull box, const void *_Nullable bytes, size_t length,
                             const void *_Nonnull tag, void *_Nullable out);
/* Wraps a key (RFC 3394), which makes it 8 bytes longer, or takes it out again. Refused when it was not wrapped so. */
int32_t taskhost_crypto_wrap(bool wraps, const void *_Nonnull key, size_t key_length, const void *_Nonnull bytes,
                             size_t length, void *_Nonnull out);

/* Curves, and keys on them. */
enum {
    TASKHOST_CRYPTO_X25519,
    TASKHOST_CRYPTO_ED25519,
    TASKHOST_CRYPTO_P256,
    TASKHOST_CRYPTO_P384,
    TASKHOST_CRYPTO_P521,
};
typedef struct evp_pkey_st *taskhost_crypto_key;
/* A private key of a number of the curve's own length, and its public key: a point with both coordinates, or the 32 bytes
 * of the other curves. Refused when the number is 0 or not below the curve's order. */
int32_t taskhost_crypto_private_key(int32_t curve, const void *_Nonnull secret, size_t secret_length,
                                    void *_Nonnull out_public, size_t public_length,
                                    taskhost_crypto_key _Nullable *_Nonnull out_key);
/* A public key of a point in any form, or of 32 bytes. Refused when the point is not on the curve. */
int32_t taskhost_crypto_public_key(int32_t curve, const void *_Nonnull bytes, size_t length, void *_Nonnull out_public,
                                   size_t public_length, taskhost_crypto_key _Nullable *_Nonnull out_key);
void taskhost_crypto_key_free(taskhost_crypto_key _Nonnull key);
/* The secret that two keys share. Refused when it would be 0. */
int32_t taskhost_crypto_agree(taskhost_crypto_key _Nonnull key, taskhost_crypto_key _Nonnull other,
                              void *_Nonnull out_secret, size_t secret_length);
/* Signs a message (Ed25519) or a digest (the other curves, as DER). `out_length` is the room, and then the length. */
int32_t taskhost_crypto_sign(int32_t curve, taskhost_crypto_key _Nonnull key, const void *_Nullable bytes,
                             size_t length, void *_Nonnull out_signature, size_t *_Nonnull out_length);
/* Whether a signature in that form is the key's. */
bool taskhost_crypto_verify(int32_t curve, taskhost_crypto_key _Nonnull key, const void *_Nonnull signature,
                            size_t signature_length, const void *_Nullable bytes, size_t length);

#endif
