#include "openssl.h"
#include "CCryptoKit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define LIBRARY "libcrypto.so.3"

static struct openssl library;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char fault[512];

static void refuse(const char *what) {
    snprintf(fault, sizeof fault,
             "the functions of CryptoKit cannot be used; %s; install OpenSSL 3 (the package libssl3 or libssl3t64)", what);
}

static void map(void) {
    static const char hashes[HASHES][8] = {"MD5", "SHA1", "SHA256", "SHA384", "SHA512"};
    static const char ciphers[CIPHERS][20] = {"AES-128-GCM",  "AES-192-GCM",  "AES-256-GCM",      "AES-128-WRAP",
                                              "AES-192-WRAP", "AES-256-WRAP", "ChaCha20-Poly1305"};
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        return refuse(reason != NULL ? reason : LIBRARY);
    }
#define FIND(result, name, parameters) \
    library.name = (result(*) parameters)dlsym(handle, #name); \
    if (library.name == NULL) return refuse(LIBRARY " has no " #name);
    FUNCTIONS(FIND)
#undef FIND
    /* Otherwise the library takes itself apart when the process ends, while other threads still use it. */
    library.OPENSSL_init_crypto(INIT_WITHOUT_ATEXIT, NULL);
    library.context = library.OSSL_LIB_CTX_new();
    if (library.context == NULL) return refuse(LIBRARY " makes no context");
    library.ERR_set_mark();
    int fetched = 0;
    for (int i = 0; i < HASHES; i += 1)
        fetched += (library.hashes[i] = library.EVP_MD_fetch(library.context, hashes[i], NULL)) != NULL;
    for (int i = 0; i < CIPHERS; i += 1)
        fetched += (library.ciphers[i] = library.EVP_CIPHER_fetch(library.context, ciphers[i], NULL)) != NULL;
    library.ERR_pop_to_mark();
    if (fetched != HASHES + CIPHERS) refuse(LIBRARY " lacks algorithms");
}

const struct openssl *taskhost_openssl(void) {
    pthread_once(&once, map);
    return fault[0] == '\0' ? &library : NULL;
}

const char *taskhost_crypto_fault(void) { return taskhost_openssl() != NULL ? NULL : fault; }

void taskhost_openssl_begin(const struct openssl *ssl) { ssl->ERR_set_mark(); }

int32_t taskhost_openssl_end(const struct openssl *ssl, int succeeded) {
    int32_t code = (int32_t)(ssl->ERR_peek_last_error() & INT32_MAX);
    ssl->ERR_pop_to_mark();
    if (succeeded) return TASKHOST_CRYPTO_DONE;
    return code > 0 ? code : TASKHOST_CRYPTO_REFUSED;
}
