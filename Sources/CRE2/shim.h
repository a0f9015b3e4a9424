// RE2's own headers are C++: `CLinearPattern` includes them. This module says only where they are.
