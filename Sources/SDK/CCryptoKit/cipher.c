#include "CCryptoKit.h"
#include "openssl.h"

/* The library counts bytes in an int. */
enum { PORTION = 1 << 30 };

static const EVP_CIPHER *cipher_of(const struct openssl *ssl, int32_t cipher, size_t key_length) {
    static const int first[] = {0, 3, 6};
    return ssl->ciphers[first[cipher] + (cipher == TASKHOST_CRYPTO_CHACHA_POLY ? 0 : (int)key_length / 8 - 2)];
}

/* Passes bytes through a cipher; `out` is NULL for those that are only authenticated. */
static int pass(const struct openssl *ssl, EVP_CIPHER_CTX *context, const unsigned char *bytes, size_t length,
                unsigned char *out) {
    while (length > 0) {
        int portion = length > PORTION ? PORTION : (int)length, count;
        if (ssl->EVP_CipherUpdate(context, out, &count, bytes, portion) != 1) return 0;
        bytes += portion;
        length -= (size_t)portion;
        if (out != NULL) out += count;
    }
    return 1;
}

static int start(const struct openssl *ssl, EVP_CIPHER_CTX *context, const taskhost_crypto_box *box, int encrypts) {
    const EVP_CIPHER *cipher = cipher_of(ssl, box->cipher, box->key_length);
    return context != NULL && ssl->EVP_CipherInit_ex2(context, cipher, NULL, NULL, encrypts, NULL) == 1
        && ssl->EVP_CIPHER_CTX_ctrl(context, SET_NONCE_LENGTH, (int)box->nonce_length, NULL) == 1
        && ssl->EVP_CipherInit_ex2(context, NULL, box->key, box->nonce, encrypts, NULL) == 1
        && pass(ssl, context, box->authenticated, box->authenticated_length, NULL);
}

int32_t taskhost_crypto_seal(const taskhost_crypto_box *box, const void *bytes, size_t length, void *out,
                             void *out_tag) {
    const struct openssl *ssl = taskhost_openssl();
    if (ssl == NULL) return TASKHOST_CRYPTO_MISSING;
    taskhost_openssl_begin(ssl);
    unsigned char nothing[16];
    int rest;
    EVP_CIPHER_CTX *context = ssl->EVP_CIPHER_CTX_new();
    int done = start(ssl, context, box, 1) && pass(ssl, context, bytes, length, out)
        && ssl->EVP_CipherFinal_ex(context, nothing, &rest) == 1
        && ssl->EVP_CIPHER_CTX_ctrl(context, GET_TAG, TASKHOST_CRYPTO_TAG_LENGTH, out_tag) == 1;
    ssl->EVP_CIPHER_CTX_free(context);
    return taskhost_openssl_end(ssl, done);
}

int32_t taskhost_crypto_open(const taskhost_crypto_box *box, const void *bytes, size_t length, const void *tag,
                             void *out) {
    const struct openssl *ssl = taskhost_openssl();
    if (ssl == NULL) return TASKHOST_CRYPTO_MISSING;
    taskhost_openssl_begin(ssl);
    unsigned char nothing[16];
    int rest;
    EVP_CIPHER_CTX *context = ssl->EVP_CIPHER_CTX_new();
    int done = start(ssl, context, box, 0) && pass(ssl, context, bytes, length, out)
        && ssl->EVP_CIPHER_CTX_ctrl(context, SET_TAG, TASKHOST_CRYPTO_TAG_LENGTH, (void *)tag) == 1;
    int verified = done && ssl->EVP_CipherFinal_ex(context, nothing, &rest) == 1;
    ssl->EVP_CIPHER_CTX_free(context);
    int32_t result = taskhost_openssl_end(ssl, verified);
    if (!verified && length > 0) taskhost_crypto_wipe(out, length);
    return done && !verified ? TASKHOST_CRYPTO_REFUSED : result;
}

int32_t taskhost_crypto_wrap(bool wraps, const void *key, size_t key_length, const void *bytes, size_t length,
                             void *out) {
    const struct openssl *ssl = taskhost_openssl();
    if (ssl == NULL) return TASKHOST_CRYPTO_MISSING;
    taskhost_openssl_begin(ssl);
    const EVP_CIPHER *cipher = cipher_of(ssl, TASKHOST_CRYPTO_AES_WRAP, key_length);
    int count = 0;
    EVP_CIPHER_CTX *context = ssl->EVP_CIPHER_CTX_new();
    if (context != NULL) ssl->EVP_CIPHER_CTX_set_flags(context, WRAP_ALLOWED);
    int done = context != NULL && ssl->EVP_CipherInit_ex2(context, cipher, key, NULL, wraps, NULL) == 1
        && ssl->EVP_CipherUpdate(context, out, &count, bytes, (int)length) == 1
        && (size_t)count == (wraps ? length + 8 : length - 8);
    ssl->EVP_CIPHER_CTX_free(context);
    taskhost_openssl_end(ssl, done);
    return done ? TASKHOST_CRYPTO_DONE : TASKHOST_CRYPTO_REFUSED;
}
