#include "CCryptoKit.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

void taskhost_crypto_wipe(void *bytes, size_t length) { explicit_bzero(bytes, length); }

bool taskhost_crypto_random(void *bytes, size_t length) {
    for (size_t filled = 0; filled < length;) {
        ssize_t count = getrandom((char *)bytes + filled, length - filled, 0);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) filled += (size_t)count;
    }
    return true;
}

bool taskhost_crypto_equal(const void *a, const void *b, size_t length) {
    const volatile unsigned char *first = a, *second = b;
    unsigned char difference = 0;
    for (size_t i = 0; i < length; i += 1) difference |= first[i] ^ second[i];
    return difference == 0;
}
