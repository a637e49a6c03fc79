/*
 * The part of OpenSSL 3 that is used, in words of its own: building the SDK needs no headers of OpenSSL. Where they are
 * installed, prototypes.c compares.
 */
#ifndef TASKHOST_OPENSSL_H
#define TASKHOST_OPENSSL_H

#include <stddef.h>
#include <stdint.h>

typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;
typedef struct ossl_param_st OSSL_PARAM;
typedef struct ossl_init_settings_st OPENSSL_INIT_SETTINGS;
typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct bignum_st BIGNUM;
typedef struct bignum_ctx BN_CTX;
typedef struct ec_group_st EC_GROUP;
typedef struct ec_point_st EC_POINT;

/* OSSL_PARAM, whose layout is part of OpenSSL's ABI. */
struct parameter {
    const char *key;
    unsigned int type;
    void *data;
    size_t size, used;
};

enum {
    INIT_WITHOUT_ATEXIT = 0x00080000,
    SET_NONCE_LENGTH = 0x9,
    GET_TAG = 0x10,
    SET_TAG = 0x11,
    WRAP_ALLOWED = 0x1,
    TYPE_NUMBER = 2,
    TYPE_TEXT = 4,
    TYPE_BYTES = 5,
    SELECT_PUBLIC = 0x86,
    SELECT_PAIR = 0x87,
    FORM_UNCOMPRESSED = 4,
    NID_P256 = 415,
    NID_P384 = 715,
    NID_P521 = 716,
};

/* Each function as F(result, name, parameters). */
#define FUNCTIONS(F) \
    F(int, OPENSSL_init_crypto, (uint64_t, const OPENSSL_INIT_SETTINGS *)) \
    F(OSSL_LIB_CTX *, OSSL_LIB_CTX_new, (void)) \
    F(int, ERR_set_mark, (void)) \
    F(int, ERR_pop_to_mark, (void)) \
    F(unsigned long, ERR_peek_last_error, (void)) \
    F(EVP_MD *, EVP_MD_fetch, (OSSL_LIB_CTX *, const char *, const char *)) \
    F(EVP_MD_CTX *, EVP_MD_CTX_new, (void)) \
    F(void, EVP_MD_CTX_free, (EVP_MD_CTX *)) \
    F(int, EVP_MD_CTX_copy_ex, (EVP_MD_CTX *, const EVP_MD_CTX *)) \
    F(int, EVP_DigestInit_ex2, (EVP_MD_CTX *, const EVP_MD *, const OSSL_PARAM *)) \
    F(int, EVP_DigestUpdate, (EVP_MD_CTX *, const void *, size_t)) \
    F(int, EVP_DigestFinal_ex, (EVP_MD_CTX *, unsigned char *, unsigned int *)) \
    F(EVP_CIPHER *, EVP_CIPHER_fetch, (OSSL_LIB_CTX *, const char *, const char *)) \
    F(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void)) \
    F(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX *)) \
    F(void, EVP_CIPHER_CTX_set_flags, (EVP_CIPHER_CTX *, int)) \
    F(int, EVP_CIPHER_CTX_ctrl, (EVP_CIPHER_CTX *, int, int, void *)) \
    F(int, EVP_CipherInit_ex2, \
      (EVP_CIPHER_CTX *, const EVP_CIPHER *, const unsigned char *, const unsigned char *, int, const OSSL_PARAM *)) \
    F(int, EVP_CipherUpdate, (EVP_CIPHER_CTX *, unsigned char *, int *, const unsigned char *, int)) \
    F(int, EVP_CipherFinal_ex, (EVP_CIPHER_CTX *, unsigned char *, int *)) \
    F(EVP_PKEY *, EVP_PKEY_new_raw_private_key_ex, \
      (OSSL_LIB_CTX *, const char *, const char *, const unsigned char *, size_t)) \
    F(EVP_PKEY *, EVP_PKEY_new_raw_public_key_ex, \
      (OSSL_LIB_CTX *, const char *, const char *, const unsigned char *, size_t)) \
    F(int, EVP_PKEY_get_raw_public_key, (const EVP_PKEY *, unsigned char *, size_t *)) \
    F(void, EVP_PKEY_free, (EVP_PKEY *)) \
    F(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_name, (OSSL_LIB_CTX *, const char *, const char *)) \
    F(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_pkey, (OSSL_LIB_CTX *, EVP_PKEY *, const char *)) \
    F(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX *)) \
    F(int, EVP_PKEY_fromdata_init, (EVP_PKEY_CTX *)) \
    F(int, EVP_PKEY_fromdata, (EVP_PKEY_CTX *, EVP_PKEY **, int, OSSL_PARAM *)) \
    F(int, EVP_PKEY_derive_init, (EVP_PKEY_CTX *)) \
    F(int, EVP_PKEY_derive_set_peer, (EVP_PKEY_CTX *, EVP_PKEY *)) \
    F(int, EVP_PKEY_derive, (EVP_PKEY_CTX *, unsigned char *, size_t *)) \
    F(int, EVP_PKEY_sign_init, (EVP_PKEY_CTX *)) \
    F(int, EVP_PKEY_sign, (EVP_PKEY_CTX *, unsigned char *, size_t *, const unsigned char *, size_t)) \
    F(int, EVP_PKEY_verify_init, (EVP_PKEY_CTX *)) \
    F(int, EVP_PKEY_verify, (EVP_PKEY_CTX *, const unsigned char *, size_t, const unsigned char *, size_t)) \
    F(int, EVP_DigestSignInit_ex, (EVP_MD_CTX *, EVP_PKEY_CTX **, const char *, OSSL_LIB_CTX *, const char *, \
      EVP_PKEY *, const OSSL_PARAM *)) \
    F(int, EVP_DigestSign, (EVP_MD_CTX *, unsigned char *, size_t *, const unsigned char *, size_t)) \
    F(int, EVP_DigestVerifyInit_ex, (EVP_MD_CTX *, EVP_PKEY_CTX **, const char *, OSSL_LIB_CTX *, const char *, \
      EVP_PKEY *, const OSSL_PARAM *)) \
    F(int, EVP_DigestVerify, (EVP_MD_CTX *, const unsigned char *, size_t, const unsigned char *, size_t)) \
    F(BIGNUM *, BN_bin2bn, (const unsigned char *, int, BIGNUM *)) \
    F(int, BN_is_zero, (const BIGNUM *)) \
    F(int, BN_cmp, (const BIGNUM *, const BIGNUM *)) \
    F(void, BN_clear_free, (BIGNUM *)) \
    F(EC_GROUP *, EC_GROUP_new_by_curve_name_ex, (OSSL_LIB_CTX *, const char *, int)) \
    F(void, EC_GROUP_free, (EC_GROUP *)) \
    F(const BIGNUM *, EC_GROUP_get0_order, (const EC_GROUP *)) \
    F(EC_POINT *, EC_POINT_new, (const EC_GROUP *)) \
    F(void, EC_POINT_free, (EC_POINT *)) \
    F(int, EC_POINT_mul, \
      (const EC_GROUP *, EC_POINT *, const BIGNUM *, const EC_POINT *, const BIGNUM *, BN_CTX *)) \
    F(int, EC_POINT_oct2point, (const EC_GROUP *, EC_POINT *, const unsigned char *, size_t, BN_CTX *)) \
    F(size_t, EC_POINT_point2oct, \
      (const EC_GROUP *, const EC_POINT *, FORM, unsigned char *, size_t, BN_CTX *))

/* point_conversion_form_t, an enumeration without negative numbers. */
#ifndef FORM
#define FORM unsigned int
#endif

enum { HASHES = 5, CIPHERS = 7 };

/* The functions, and what they need: a context of OpenSSL that is ours alone, so that no configuration of the machine takes
 * algorithms away, and nothing here changes how others in the process use the library. */
struct openssl {
#define MEMBER(result, name, parameters) result(*name) parameters;
    FUNCTIONS(MEMBER)
#undef MEMBER
    OSSL_LIB_CTX *context;
    EVP_MD *hashes[HASHES];
    EVP_CIPHER *ciphers[CIPHERS];
};

/* The library, mapped at the first call; NULL when it cannot be used. */
const struct openssl *taskhost_openssl(void);
/* Brackets what may leave errors in OpenSSL's queue. The end returns what functions of CCryptoKit.h return. */
void taskhost_openssl_begin(const struct openssl *ssl);
int32_t taskhost_openssl_end(const struct openssl *ssl, int succeeded);

#endif
