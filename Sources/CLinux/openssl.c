#include "CLinuxOpenSSL.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

/* The versions whose headers this was built with. */
#define TEXT_OF(number) #number
#define FILE_OF(name, number) name ".so." TEXT_OF(number)
#define LIBCRYPTO FILE_OF("libcrypto", OPENSSL_SHLIB_VERSION)
#define LIBSSL FILE_OF("libssl", OPENSSL_SHLIB_VERSION)

/* A function of the library, or of what it needs, by the type of its header. */
#define FIND(function) __typeof__(&function) function##_ = (__typeof__(&function))dlsym(library, #function)

enum { PORTION = 256 << 10 };

/* As many bytes as there are, or -errno. */
static ssize_t fill(int file, char *room, off_t offset) {
    size_t filled = 0;
    while (filled < PORTION) {
        ssize_t count = pread(file, room + filled, PORTION - filled, offset + (off_t)filled);
        if (count < 0 && errno == EINTR) { continue; }
        if (count < 0) { return -errno; }
        if (count == 0) { break; }
        filled += (size_t)count;
    }
    return (ssize_t)filled;
}

int clinux_sha256(int file, uint8_t out_digest[32]) {
    void *library = dlopen(LIBCRYPTO, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { return -ELIBACC; }
    FIND(EVP_MD_CTX_new);
    FIND(EVP_MD_CTX_free);
    FIND(EVP_sha256);
    FIND(EVP_DigestInit_ex);
    FIND(EVP_DigestUpdate);
    FIND(EVP_DigestFinal_ex);
    if (!EVP_MD_CTX_new_ || !EVP_MD_CTX_free_ || !EVP_sha256_ || !EVP_DigestInit_ex_ || !EVP_DigestUpdate_
        || !EVP_DigestFinal_ex_) {
        return -ELIBACC;
    }
    char *room = malloc(PORTION);
    EVP_MD_CTX *context = EVP_MD_CTX_new_();
    int result = room != NULL && context != NULL && EVP_DigestInit_ex_(context, EVP_sha256_(), NULL) ? 0 : -ENOMEM;
    ssize_t count = PORTION;
    /* Only the last portion is not full. */
    for (off_t offset = 0; result == 0 && count == PORTION; offset += count) {
        count = fill(file, room, offset);
        if (count < 0) { result = (int)count; }
        if (count > 0 && !EVP_DigestUpdate_(context, room, (size_t)count)) { result = -ENOMEM; }
    }
    if (result == 0 && !EVP_DigestFinal_ex_(context, out_digest, NULL)) { result = -ENOMEM; }
    EVP_MD_CTX_free_(context);
    free(room);
    return result;
}

const char *clinux_key_fault(const void *certificate, size_t certificate_length, const void *key, size_t key_length) {
    void *library = dlopen(LIBSSL, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { return NULL; }
    FIND(TLS_client_method);
    FIND(SSL_CTX_new);
    FIND(SSL_CTX_free);
    FIND(SSL_CTX_use_certificate);
    FIND(SSL_CTX_use_PrivateKey);
    FIND(SSL_CTX_check_private_key);
    FIND(BIO_new_mem_buf);
    FIND(BIO_free);
    FIND(PEM_read_bio_X509_AUX);
    FIND(X509_free);
    FIND(PEM_read_bio_PrivateKey);
    FIND(EVP_PKEY_free);
    FIND(ERR_get_error);
    FIND(ERR_reason_error_string);
    if (!TLS_client_method_ || !SSL_CTX_new_ || !SSL_CTX_free_ || !SSL_CTX_use_certificate_ || !SSL_CTX_use_PrivateKey_
        || !SSL_CTX_check_private_key_ || !BIO_new_mem_buf_ || !BIO_free_ || !PEM_read_bio_X509_AUX_ || !X509_free_
        || !PEM_read_bio_PrivateKey_ || !EVP_PKEY_free_ || !ERR_get_error_ || !ERR_reason_error_string_) {
        return NULL;
    }
    SSL_CTX *context = SSL_CTX_new_(TLS_client_method_());
    if (context == NULL) { return NULL; }
    BIO *certificate_text = BIO_new_mem_buf_(certificate, (int)certificate_length);
    BIO *key_text = BIO_new_mem_buf_(key, (int)key_length);
    X509 *read_certificate = certificate_text ? PEM_read_bio_X509_AUX_(certificate_text, NULL, NULL, NULL) : NULL;
    /* Without a callback the last one is the passphrase: nothing asks for one. */
    EVP_PKEY *read_key = read_certificate && key_text ? PEM_read_bio_PrivateKey_(key_text, NULL, NULL, (void *)"") : NULL;
    int fits = read_key && SSL_CTX_use_certificate_(context, read_certificate) == 1
        && SSL_CTX_use_PrivateKey_(context, read_key) == 1 && SSL_CTX_check_private_key_(context) == 1;
    const char *reason = fits ? NULL : ERR_reason_error_string_(ERR_get_error_());
    if (read_key) { EVP_PKEY_free_(read_key); }
    if (read_certificate) { X509_free_(read_certificate); }
    if (key_text) { BIO_free_(key_text); }
    if (certificate_text) { BIO_free_(certificate_text); }
    SSL_CTX_free_(context);
    if (fits) { return NULL; }
    return reason != NULL ? reason : "it cannot be used";
}
