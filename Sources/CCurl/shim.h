/* What Swift cannot call by itself: variadic functions of libcurl. */
#include <curl/curl.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static inline CURLcode taskhost_curl_set_number(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode taskhost_curl_set_pointer(CURL *curl, CURLoption option, const void *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode taskhost_curl_set_writer(CURL *curl, curl_write_callback writer, void *context) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, writer);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_WRITEDATA, context) : code;
}
/* libcurl takes a listener's full queue (EAGAIN of connect(2)) for a connection that is being made, and then fails to send.
 * When it closes a socket that never was connected, *out_unconnected becomes 1: nothing can have been sent. */
static inline int taskhost_curl_close(void *out_unconnected, curl_socket_t socket) {
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    if (getpeername(socket, (struct sockaddr *)&peer, &length) < 0 && errno == ENOTCONN) { *(int *)out_unconnected = 1; }
    return close(socket);
}
/* *out_unconnected has to stay until the handle is cleaned up. */
static inline void taskhost_curl_watch_close(CURL *curl, int *out_unconnected) {
    (void)curl_easy_setopt(curl, CURLOPT_CLOSESOCKETFUNCTION, taskhost_curl_close);
    (void)curl_easy_setopt(curl, CURLOPT_CLOSESOCKETDATA, out_unconnected);
}
static inline long taskhost_curl_status(CURL *curl) {
    long status = 0;
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
static inline int64_t taskhost_curl_length(CURL *curl) {
    curl_off_t length = 0;
    return curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length) == CURLE_OK ? length : 0;
}
static inline const char *taskhost_curl_type(CURL *curl) {
    const char *type = NULL;
    return curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK ? type : NULL;
}
