/*
 * The files that `taskhost new` writes, built into the program, so that it needs none beside it. They lie in templates/;
 * the public header comes from where plugins get it.
 */
#ifndef CTEMPLATES_H
#define CTEMPLATES_H

#include <stddef.h>

typedef struct ctemplates_file {
    const char *path; /* relative to the new folder; may hold placeholders, as the text may */
    const char *text;
    size_t length;
} ctemplates_file_t;

/* The file of that number, from 0, or NULL beyond the last. Valid for ever. [any thread] */
const ctemplates_file_t *ctemplates_c(size_t number);
const ctemplates_file_t *ctemplates_swift(size_t number);
const ctemplates_file_t *ctemplates_application(size_t number);
const ctemplates_file_t *ctemplates_events(size_t number);

#endif
