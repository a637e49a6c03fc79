#include "CCryptoKit.h"
#include "openssl.h"

taskhost_crypto_hash taskhost_crypto_hash_new(int32_t function) {
    const struct openssl *ssl = taskhost_openssl();
    EVP_MD_CTX *hash = ssl != NULL ? ssl->EVP_MD_CTX_new() : NULL;
    if (hash == NULL || ssl->EVP_DigestInit_ex2(hash, ssl->hashes[function], NULL) == 1) return hash;
    ssl->EVP_MD_CTX_free(hash);
    return NULL;
}

taskhost_crypto_hash taskhost_crypto_hash_copy(taskhost_crypto_hash hash) {
    const struct openssl *ssl = taskhost_openssl();
    EVP_MD_CTX *copy = ssl->EVP_MD_CTX_new();
    if (copy == NULL || ssl->EVP_MD_CTX_copy_ex(copy, hash) == 1) return copy;
    ssl->EVP_MD_CTX_free(copy);
    return NULL;
}

void taskhost_crypto_hash_free(taskhost_crypto_hash hash) { taskhost_openssl()->EVP_MD_CTX_free(hash); }

bool taskhost_crypto_hash_update(taskhost_crypto_hash hash, const void *bytes, size_t length) {
    return length == 0 || taskhost_openssl()->EVP_DigestUpdate(hash, bytes, length) == 1;
}

bool taskhost_crypto_hash_final(taskhost_crypto_hash hash, void *out_digest) {
    return taskhost_openssl()->EVP_DigestFinal_ex(hash, out_digest, NULL) == 1;
}
