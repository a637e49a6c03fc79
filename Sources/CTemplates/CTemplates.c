#include "CTemplates.h"

static const char header[] = {
#embed "../CTaskHost/include/taskhost.h"
};
static const char transfer_header[] = {
#embed "../CTaskHost/include/taskhost_transfer.h"
};
static const char module_map[] = {
#embed "templates/swift/module.modulemap.template"
};
static const char ignore[] = {
#embed "templates/gitignore.template"
};
static const char manifest[] = {
#embed "templates/manifest.json.template"
};
static const char readme[] = {
#embed "templates/README.md.template"
};
static const char c_source[] = {
#embed "templates/c/plugin.c.template"
};
static const char c_makefile[] = {
#embed "templates/c/Makefile.template"
};
static const char swift_source[] = {
#embed "templates/swift/Plugin.swift.template"
};
static const char swift_makefile[] = {
#embed "templates/swift/Makefile.template"
};
static const char swift_package[] = {
#embed "templates/swift/Package.swift.template"
};

static const char application_source[] = {
#embed "templates/application/AppDelegate.swift.template"
};
static const char application_makefile[] = {
#embed "templates/application/Makefile.template"
};
static const char application_manifest[] = {
#embed "templates/application/manifest.json.template"
};
static const char application_readme[] = {
#embed "templates/application/README.md.template"
};

static const char events_source[] = {
#embed "templates/events/AppDelegate.swift.template"
};
static const char events_manifest[] = {
#embed "templates/events/manifest.json.template"
};
static const char events_readme[] = {
#embed "templates/events/README.md.template"
};

#define FILE(path, text) \
    { path, text, sizeof text }

static const ctemplates_file_t c_files[] = {
    FILE("README.md", readme),
    FILE(".gitignore", ignore),
    FILE("Makefile", c_makefile),
    FILE("plugin.c", c_source),
    FILE("include/taskhost.h", header),
    FILE("include/taskhost_transfer.h", transfer_header),
    FILE("manifests/@IDENTIFIER@.json", manifest),
};

static const ctemplates_file_t swift_files[] = {
    FILE("README.md", readme),
    FILE(".gitignore", ignore),
    FILE("Makefile", swift_makefile),
    FILE("Package.swift", swift_package),
    FILE("Sources/Plugin.swift", swift_source),
    FILE("include/taskhost.h", header),
    FILE("include/module.modulemap", module_map),
    FILE("manifests/@IDENTIFIER@.json", manifest),
};

static const ctemplates_file_t application_files[] = {
    FILE("README.md", application_readme),
    FILE(".gitignore", ignore),
    FILE("Makefile", application_makefile),
    FILE("Sources/AppDelegate.swift", application_source),
    FILE("manifests/@IDENTIFIER@.json", application_manifest),
};

static const ctemplates_file_t events_files[] = {
    FILE("README.md", events_readme),
    FILE(".gitignore", ignore),
    FILE("Makefile", application_makefile),
    FILE("Sources/AppDelegate.swift", events_source),
    FILE("manifests/@IDENTIFIER@.json", events_manifest),
};

const ctemplates_file_t *ctemplates_c(size_t number) {
    return number < sizeof c_files / sizeof c_files[0] ? &c_files[number] : NULL;
}

const ctemplates_file_t *ctemplates_swift(size_t number) {
    return number < sizeof swift_files / sizeof swift_files[0] ? &swift_files[number] : NULL;
}

const ctemplates_file_t *ctemplates_application(size_t number) {
    return number < sizeof application_files / sizeof application_files[0] ? &application_files[number] : NULL;
}

const ctemplates_file_t *ctemplates_events(size_t number) {
    return number < sizeof events_files / sizeof events_files[0] ? &events_files[number] : NULL;
}
