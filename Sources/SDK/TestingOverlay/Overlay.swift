// Empty. The toolchain's Testing module declares that a file which imports it beside UIKit gets this module too; without
// one of the name such a file would not compile.
