#include "classes.h"

const uint8_t sm_classes[256] = {
    [' '] = SM_CLASS_SPACE,      ['\t'] = SM_CLASS_SPACE,     ['\r'] = SM_CLASS_SPACE,
    ['\n'] = SM_CLASS_STRUCTURE, [0x1E] = SM_CLASS_STRUCTURE, ['{'] = SM_CLASS_STRUCTURE,
    ['}'] = SM_CLASS_STRUCTURE,  ['['] = SM_CLASS_STRUCTURE,  [']'] = SM_CLASS_STRUCTURE,
    [':'] = SM_CLASS_STRUCTURE,  [','] = SM_CLASS_STRUCTURE,  ['"'] = SM_CLASS_QUOTE,
    ['\\'] = SM_CLASS_BACKSLASH,
};
