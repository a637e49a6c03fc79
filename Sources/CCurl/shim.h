/* What Swift cannot call by itself: variadic functions of libcurl. */
#include <curl/curl.h>

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
static inline long taskhost_curl_status(CURL *curl) {
    long status = 0;
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
/* The errno of a connect that failed. */
static inline long taskhost_curl_errno(CURL *curl) {
    long code = 0;
    return curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &code) == CURLE_OK ? code : 0;
}
static inline const char *taskhost_curl_type(CURL *curl) {
    const char *type = NULL;
    return curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK ? type : NULL;
}
