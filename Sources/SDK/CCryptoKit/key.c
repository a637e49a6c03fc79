#include "CCryptoKit.h"
#include "openssl.h"

#include <string.h>

enum { LONGEST = 66 };

/* Without pointers, which the loader of every plugin would have to set. */
struct curve {
    char name[8];
    int nid;
};
/* The others have no points of two coordinates. */
static const struct curve curves[] = {
    {"X25519", 0}, {"ED25519", 0}, {"P-256", NID_P256}, {"P-384", NID_P384}, {"P-521", NID_P521},
};

/* The point with both coordinates: of another form of it, or of the number in `secret`. */
static int32_t point(const struct openssl *ssl, int nid, const BIGNUM *secret, const unsigned char *bytes, size_t length,
                     unsigned char *out, size_t out_length) {
    EC_GROUP *group = ssl->EC_GROUP_new_by_curve_name_ex(ssl->context, NULL, nid);
    EC_POINT *place = group != NULL ? ssl->EC_POINT_new(group) : NULL;
    int32_t result = TASKHOST_CRYPTO_REFUSED;
    int valid = place != NULL;
    if (valid && secret != NULL) {
        valid = !ssl->BN_is_zero(secret) && ssl->BN_cmp(secret, ssl->EC_GROUP_get0_order(group)) < 0
            && ssl->EC_POINT_mul(group, place, secret, NULL, NULL, NULL) == 1;
    } else if (valid) {
        valid = ssl->EC_POINT_oct2point(group, place, bytes, length, NULL) == 1;
    }
    if (valid && ssl->EC_POINT_point2oct(group, place, FORM_UNCOMPRESSED, out, out_length, NULL) == out_length)
        result = TASKHOST_CRYPTO_DONE;
    ssl->EC_POINT_free(place);
    ssl->EC_GROUP_free(group);
    return result;
}

/* A key of a point and, unless it is NULL, its number. */
static EVP_PKEY *assemble(const struct openssl *ssl, const char *name, const unsigned char *secret, size_t secret_length,
                          unsigned char *bytes, size_t length) {
    /* The number as the machine keeps one. */
    unsigned char number[LONGEST];
    for (size_t i = 0; secret != NULL && i < secret_length; i += 1)
        number[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? secret_length - 1 - i : i] = secret[i];
    struct parameter parameters[] = {
        {"group", TYPE_TEXT, (void *)name, strlen(name), SIZE_MAX},
        {"pub", TYPE_BYTES, bytes, length, SIZE_MAX},
        {secret != NULL ? "priv" : NULL, TYPE_NUMBER, number, secret_length, SIZE_MAX},
        {NULL, 0, NULL, 0, 0},
    };
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = ssl->EVP_PKEY_CTX_new_from_name(ssl->context, "EC", NULL);
    if (context != NULL && ssl->EVP_PKEY_fromdata_init(context) == 1)
        ssl->EVP_PKEY_fromdata(context, &key, secret != NULL ? SELECT_PAIR : SELECT_PUBLIC, (OSSL_PARAM *)parameters);
    ssl->EVP_PKEY_CTX_free(context);
    taskhost_crypto_wipe(number, sizeof number);
    return key;
}

int32_t taskhost_crypto_private_key(int32_t curve, const void *secret, size_t secret_length, void *out_public,
                                    size_t public_length, taskhost_crypto_key *out_key) {
    const struct openssl *ssl = taskhost_openssl();
    *out_key = NULL;
    if (ssl == NULL) return TASKHOST_CRYPTO_MISSING;
    const struct curve *of = &curves[curve];
    taskhost_openssl_begin(ssl);
    int32_t result = TASKHOST_CRYPTO_DONE;
    if (of->nid != 0) {
        BIGNUM *number = ssl->BN_bin2bn(secret, (int)secret_length, NULL);
        result = number != NULL ? point(ssl, of->nid, number, NULL, 0, out_public, public_length) : 0;
        if (number != NULL && result == TASKHOST_CRYPTO_DONE)
            *out_key = assemble(ssl, of->name, secret, secret_length, out_public, public_length);
        ssl->BN_clear_free(number);
    } else {
        size_t length = public_length;
        *out_key = ssl->EVP_PKEY_new_raw_private_key_ex(ssl->context, of->name, NULL, secret, secret_length);
        if (*out_key != NULL && ssl->EVP_PKEY_get_raw_public_key(*out_key, out_public, &length) != 1) {
            ssl->EVP_PKEY_free(*out_key);
            *out_key = NULL;
        }
    }
    int32_t end = taskhost_openssl_end(ssl, *out_key != NULL);
    return result != TASKHOST_CRYPTO_DONE ? result : end;
}

int32_t taskhost_crypto_public_key(int32_t curve, const void *bytes, size_t length, void *out_public,
                                   size_t public_length, taskhost_crypto_key *out_key) {
    const struct openssl *ssl = taskhost_openssl();
    *out_key = NULL;
    if (ssl == NULL) return TASKHOST_CRYPTO_MISSING;
    const struct curve *of = &curves[curve];
    taskhost_openssl_begin(ssl);
    int32_t result = TASKHOST_CRYPTO_DONE;
    if (of->nid != 0) {
        result = point(ssl, of->nid, NULL, bytes, length, out_public, public_length);
        if (result == TASKHOST_CRYPTO_DONE) *out_key = assemble(ssl, of->name, NULL, 0, out_public, public_length);
    } else {
        memcpy(out_public, bytes, public_length);
        *out_key = ssl->EVP_PKEY_new_raw_public_key_ex(ssl->context, of->name, NULL, bytes, length);
    }
    int32_t end = taskhost_openssl_end(ssl, *out_key != NULL);
    return result != TASKHOST_CRYPTO_DONE ? result : end;
}

void taskhost_crypto_key_free(taskhost_crypto_key key) { taskhost_openssl()->EVP_PKEY_free(key); }
