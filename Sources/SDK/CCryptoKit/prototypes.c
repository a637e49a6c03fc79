/* Compares openssl.h with OpenSSL's own headers, where they are installed. Makes no code. */
#if __has_include(<openssl/evp.h>)
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stddef.h>
#define FORM point_conversion_form_t
#include "openssl.h"

#define COMPARE(result, name, parameters) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), result parameters), #name);
FUNCTIONS(COMPARE)
_Static_assert(sizeof(point_conversion_form_t) == sizeof(unsigned int), "form");
_Static_assert(sizeof(OSSL_PARAM) == sizeof(struct parameter), "parameter");
_Static_assert(offsetof(OSSL_PARAM, data_type) == offsetof(struct parameter, type), "type");
_Static_assert(offsetof(OSSL_PARAM, data) == offsetof(struct parameter, data), "data");
_Static_assert(offsetof(OSSL_PARAM, data_size) == offsetof(struct parameter, size), "size");
_Static_assert(offsetof(OSSL_PARAM, return_size) == offsetof(struct parameter, used), "used");
_Static_assert(INIT_WITHOUT_ATEXIT == OPENSSL_INIT_NO_ATEXIT, "atexit");
_Static_assert(SET_NONCE_LENGTH == EVP_CTRL_AEAD_SET_IVLEN, "nonce");
_Static_assert(GET_TAG == EVP_CTRL_AEAD_GET_TAG && SET_TAG == EVP_CTRL_AEAD_SET_TAG, "tag");
_Static_assert(WRAP_ALLOWED == EVP_CIPHER_CTX_FLAG_WRAP_ALLOW, "wrap");
_Static_assert(TYPE_NUMBER == OSSL_PARAM_UNSIGNED_INTEGER && TYPE_TEXT == OSSL_PARAM_UTF8_STRING, "types");
_Static_assert(TYPE_BYTES == OSSL_PARAM_OCTET_STRING, "bytes");
_Static_assert(SELECT_PUBLIC == EVP_PKEY_PUBLIC_KEY && SELECT_PAIR == EVP_PKEY_KEYPAIR, "selection");
_Static_assert((int)FORM_UNCOMPRESSED == (int)POINT_CONVERSION_UNCOMPRESSED, "uncompressed");
_Static_assert(NID_P256 == NID_X9_62_prime256v1 && NID_P384 == NID_secp384r1 && NID_P521 == NID_secp521r1, "curves");
#endif
