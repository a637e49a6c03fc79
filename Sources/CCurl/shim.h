/* Functions that Swift cannot call itself: variadic functions of libcurl. */
#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static inline CURLcode taskhost_curl_set_number(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode taskhost_curl_set_pointer(CURL *curl, CURLoption option, const void *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline int64_t taskhost_curl_length(CURL *curl) {
    curl_off_t length = 0;
    return curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length) == CURLE_OK ? length : 0;
}
/* `writer` gets the body, `header` one line of a header each, both with `context`, which also is the handle's private pointer. */
static inline CURLcode taskhost_curl_set_sinks(
    CURL *curl, curl_write_callback writer, curl_write_callback header, void *context) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, writer);
    if (code == CURLE_OK) { code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, context); }
    if (code == CURLE_OK) { code = curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, header); }
    if (code == CURLE_OK) { code = curl_easy_setopt(curl, CURLOPT_HEADERDATA, context); }
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_PRIVATE, context) : code;
}
/* A function of OpenSSL, which libcurl has loaded and this program is not linked with: NULL where libcurl has another library. */
static inline bool taskhost_openssl(const char *name, void *function) {
    void *place = dlsym(NULL, name);
    memcpy(function, &place, sizeof place);
    return place != NULL;
}
static inline void taskhost_message_came(
    int written, int version, int type, const void *bytes, size_t length, void *ssl, void *seen) {
    (void)version;
    (void)ssl;
    /* RFC 8446 6: an alert of two bytes, its level and 0 for close_notify. */
    if (!written && type == 21 && length == 2 && ((const unsigned char *)bytes)[1] == 0) { *(char *)seen = 1; }
}
/* `*seen` becomes 1 when the server of the present exchange ends TLS with close_notify. Libcurl does not say so.
   Returns what taskhost_curl_end_watch takes, which has to be called while `seen` lives; NULL: there is nothing to watch. */
static inline void *taskhost_curl_watch_close(CURL *curl, char *seen) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(curl, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL ||
        session->backend != CURLSSLBACKEND_OPENSSL || session->internals == NULL) {
        return NULL;
    }
    typedef void observer(int, int, int, const void *, size_t, void *, void *);
    int (*hold)(void *) = NULL;
    void (*observe)(void *, observer *) = NULL;
    long (*control)(void *, int, long, void *) = NULL;
    if (!taskhost_openssl("SSL_up_ref", &hold) || !taskhost_openssl("SSL_set_msg_callback", &observe) ||
        !taskhost_openssl("SSL_ctrl", &control) || hold(session->internals) != 1) {
        return NULL;
    }
    enum { SET_MSG_CALLBACK_ARG = 16 };
    observe(session->internals, taskhost_message_came);
    (void)control(session->internals, SET_MSG_CALLBACK_ARG, 0, seen);
    return session->internals;
}
static inline void taskhost_curl_end_watch(void *watched) {
    void (*observe)(void *, void *) = NULL;
    void (*drop)(void *) = NULL;
    if (watched == NULL || !taskhost_openssl("SSL_set_msg_callback", &observe) || !taskhost_openssl("SSL_free", &drop)) {
        return;
    }
    observe(watched, NULL);
    drop(watched);
}
/* `bytes` are copied. */
static inline CURLcode taskhost_curl_set_blob(CURL *curl, CURLoption option, const void *bytes, size_t length) {
    struct curl_blob blob = {.data = (void *)(uintptr_t)bytes, .len = length, .flags = CURL_BLOB_COPY};
    return curl_easy_setopt(curl, option, &blob);
}
/* `open` decides for every address, `use` before every request, both with `context`. */
static inline void taskhost_curl_set_gates(
    CURL *curl, curl_opensocket_callback open, curl_prereq_callback use, void *context) {
    (void)curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open);
    (void)curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, context);
    (void)curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, use);
    (void)curl_easy_setopt(curl, CURLOPT_PREREQDATA, context);
}
/* The request has `length` bytes, which `reader` provides; `seeker` goes back to some of them. */
static inline void taskhost_curl_set_content(
    CURL *curl, curl_read_callback reader, curl_seek_callback seeker, void *context, int64_t length) {
    (void)curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)length);
    (void)curl_easy_setopt(curl, CURLOPT_READFUNCTION, reader);
    (void)curl_easy_setopt(curl, CURLOPT_READDATA, context);
    (void)curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, seeker);
    (void)curl_easy_setopt(curl, CURLOPT_SEEKDATA, context);
}
/* The only origin that libcurl seeks from. */
enum { TASKHOST_SEEK_SET = SEEK_SET };
/* An address that libcurl is about to connect to: 16 bytes, of which IPv4 has the first four. Returns 4 or 6, 0 for others. */
static inline int taskhost_curl_endpoint(const struct curl_sockaddr *address, uint8_t bytes[16], uint16_t *out_port) {
    if (address->addr.sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, &address->addr, sizeof in);
        memcpy(bytes, &in.sin_addr, 4);
        *out_port = ntohs(in.sin_port);
        return 4;
    }
    if (address->addr.sa_family != AF_INET6) { return 0; }
    struct sockaddr_in6 in6;
    memcpy(&in6, (const char *)address + offsetof(struct curl_sockaddr, addr), sizeof in6); /* libcurl has room for it */
    memcpy(bytes, &in6.sin6_addr, 16);
    *out_port = ntohs(in6.sin6_port);
    return 6;
}
static inline curl_socket_t taskhost_curl_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
static inline void *taskhost_curl_private(CURL *curl) {
    char *context = NULL;
    return curl_easy_getinfo(curl, CURLINFO_PRIVATE, &context) == CURLE_OK ? context : NULL;
}
/* A number that is a long, such as CURLINFO_OS_ERRNO; 0 where there is none. */
static inline long taskhost_curl_number(CURL *curl, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(curl, info, &value) == CURLE_OK ? value : 0;
}
/* A text of the handle's, valid until it is used again; NULL: there is none. */
static inline const char *taskhost_curl_text(CURL *curl, CURLINFO info) {
    const char *text = NULL;
    return curl_easy_getinfo(curl, info, &text) == CURLE_OK ? text : NULL;
}
static inline void taskhost_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
static inline CURLMcode taskhost_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
/* The next finished transfer, with its result stored; NULL: there is none. */
static inline CURL *taskhost_multi_ended(CURLM *multi, CURLcode *out_result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) { continue; }
        *out_result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
