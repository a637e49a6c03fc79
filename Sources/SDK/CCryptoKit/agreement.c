#include "CCryptoKit.h"
#include "openssl.h"

int32_t taskhost_crypto_agree(taskhost_crypto_key key, taskhost_crypto_key other, void *out_secret,
                              size_t secret_length) {
    const struct openssl *ssl = taskhost_openssl();
    taskhost_openssl_begin(ssl);
    size_t length = secret_length;
    EVP_PKEY_CTX *context = ssl->EVP_PKEY_CTX_new_from_pkey(ssl->context, key, NULL);
    int done = context != NULL && ssl->EVP_PKEY_derive_init(context) == 1
        && ssl->EVP_PKEY_derive_set_peer(context, other) == 1 && ssl->EVP_PKEY_derive(context, out_secret, &length) == 1
        && length == secret_length;
    ssl->EVP_PKEY_CTX_free(context);
    return taskhost_openssl_end(ssl, done);
}

/* Ed25519 hashes the message twice, and wants all of it. */
static int sign_message(const struct openssl *ssl, EVP_PKEY *key, const void *bytes, size_t length, void *out_signature,
                        size_t *out_length) {
    EVP_MD_CTX *context = ssl->EVP_MD_CTX_new();
    int done = context != NULL
        && ssl->EVP_DigestSignInit_ex(context, NULL, NULL, ssl->context, NULL, key, NULL) == 1
        && ssl->EVP_DigestSign(context, out_signature, out_length, bytes, length) == 1;
    ssl->EVP_MD_CTX_free(context);
    return done;
}

static int verify_message(const struct openssl *ssl, EVP_PKEY *key, const void *signature, size_t signature_length,
                          const void *bytes, size_t length) {
    EVP_MD_CTX *context = ssl->EVP_MD_CTX_new();
    int done = context != NULL
        && ssl->EVP_DigestVerifyInit_ex(context, NULL, NULL, ssl->context, NULL, key, NULL) == 1
        && ssl->EVP_DigestVerify(context, signature, signature_length, bytes, length) == 1;
    ssl->EVP_MD_CTX_free(context);
    return done;
}

int32_t taskhost_crypto_sign(int32_t curve, taskhost_crypto_key key, const void *bytes, size_t length,
                             void *out_signature, size_t *out_length) {
    const struct openssl *ssl = taskhost_openssl();
    taskhost_openssl_begin(ssl);
    int done;
    if (curve == TASKHOST_CRYPTO_ED25519) {
        done = sign_message(ssl, key, length > 0 ? bytes : "", length, out_signature, out_length);
    } else {
        EVP_PKEY_CTX *context = ssl->EVP_PKEY_CTX_new_from_pkey(ssl->context, key, NULL);
        done = context != NULL && ssl->EVP_PKEY_sign_init(context) == 1
            && ssl->EVP_PKEY_sign(context, out_signature, out_length, bytes, length) == 1;
        ssl->EVP_PKEY_CTX_free(context);
    }
    return taskhost_openssl_end(ssl, done);
}

bool taskhost_crypto_verify(int32_t curve, taskhost_crypto_key key, const void *signature, size_t signature_length,
                            const void *bytes, size_t length) {
    const struct openssl *ssl = taskhost_openssl();
    taskhost_openssl_begin(ssl);
    int valid;
    if (curve == TASKHOST_CRYPTO_ED25519) {
        valid = verify_message(ssl, key, signature, signature_length, length > 0 ? bytes : "", length);
    } else {
        EVP_PKEY_CTX *context = ssl->EVP_PKEY_CTX_new_from_pkey(ssl->context, key, NULL);
        valid = context != NULL && ssl->EVP_PKEY_verify_init(context) == 1
            && ssl->EVP_PKEY_verify(context, signature, signature_length, bytes, length) == 1;
        ssl->EVP_PKEY_CTX_free(context);
    }
    taskhost_openssl_end(ssl, valid);
    return valid;
}
