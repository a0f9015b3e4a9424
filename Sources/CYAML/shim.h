// libyaml of the system. Mapping files are read with its parser.
#include <yaml.h>
