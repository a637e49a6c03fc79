#pragma once

// OpenSSL 3 prefers EVP, which reads configuration, takes locks, and cannot give a state away that is kept and taken up again.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/opensslv.h>
#include <openssl/sha.h>
