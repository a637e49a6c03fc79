/*
 * The C half of the module UIKit. The compiler looks here for what it calls on behalf of @UIApplicationMain. The submodules
 * serve `import UIKit.UIApplication` and its like.
 */
#ifndef TASKHOST_UIKIT_C_H
#define TASKHOST_UIKIT_C_H

int UIApplicationMain(int argc, char *_Nullable *_Nonnull argv, void *_Nullable principalClassName,
                      void *_Nullable delegateClassName);

#endif
