// Empty. The toolchain's Testing module declares that a file which imports it together with UIKit also imports this module;
// without it such a file would not compile.
