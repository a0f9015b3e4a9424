#include "small_strings.h"

sm_small_strings sm_small_strings_seen = SM_SMALL_STRINGS_UNSEEN;
