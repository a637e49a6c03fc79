/* What OpenSSL does for the host, whose library is mapped when it is needed, and stays so: most processes never need it. */
#ifndef CLINUX_OPENSSL_H
#define CLINUX_OPENSSL_H

#include <stddef.h>
#include <stdint.h>

/* SHA-256 of a file's whole content, from its start; its own offset stays. 0, or -errno: -ELIBACC without libcrypto. */
int clinux_sha256(int file, uint8_t out_digest[32]);

/* Why a PEM certificate and a PEM key cannot be used together, in OpenSSL's words, valid for ever; NULL: they can, or there is
 * no libssl. */
const char *clinux_key_fault(const void *certificate, size_t certificate_length, const void *key, size_t key_length);

#endif
