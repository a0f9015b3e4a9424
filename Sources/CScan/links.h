// What came after what in earlier records: texts that lead from one value of a row's object to the next.
//
// A place is where an object stands between two values: at its beginning, or after one of its members. A link is a text that was
// met there: from the first byte after the value (or after the brace) up to the next value, `,"name":"` or `,"age": `. The
// quote of a string belongs to the link.
//
//     {"id":7,"name":"Ann"}       links: "id":  from the beginning    ,"name":"  from id
//
// Where the bytes at a place are those of a link, they are the same tokens, and keep the same grammar, as when it was learned: it
// begins outside strings, and the entries of the index depend on nothing but the bytes from there on. So one comparison stands
// for the checks of comma, key and colon, and for the search of the key. White space belongs to the text; line feeds, which are
// counted, are never in it.
//
// A member that is new, or stands at another place, is found in the general way once, and its link is learned. Memory, and the work of
// learning, are bounded (`links.c`).

#ifndef STREAMMAP_LINKS_H
#define STREAMMAP_LINKS_H

#include "selection.h"

// The longest text of a link, and the bytes that have to be there to compare any of them. PERF: longer keys are rare.
enum { SM_LINK_ROOM = 32 };
// The bytes of the value after a link that are looked at together, whatever its length.
enum { SM_VALUE_ROOM = 16 };

// How many links a walker has memory for.
enum { SM_MOST_LINKS = 512 };

typedef struct sm_link sm_link;
typedef sm_link *sm_place;  // the first of its links; NULL if there is none

struct sm_link {
  uint64_t head[2], mask[2];  // the first 16 bytes of the text; which of them count
  uint64_t tail[2];           // the last 16 bytes of a longer text
  const sm_member *member;    // NULL: the value is not wanted
  sm_place *place;            // where it leads, once its value is over
  sm_link *next;              // another link from the same place
  uint8_t length, entries;    // its bytes; how many entries of the index they have
  bool is_string;             // it ends with the quote of a string
};

// All links of a walker: they hold for one selection, whatever the feed.
typedef struct {
  // By the ids of members, and of beginnings; then those after members that are not wanted, one for each link; the last one is
  // for what nothing is known of.
  sm_place *places;
  sm_link *links;
  size_t id_count;
  size_t count;
  // How many links may be learned now. PERF: a feed whose records have no order costs one link a record.
  uint32_t credit;
  uint32_t misses;   // records with something unknown, since all memory for links is used
  // How many more records were mostly unknown than were not, lately; how many are now read without links. PERF: where records
  // have no order in common, looking for links costs more than it saves.
  uint32_t strange, pause;
} sm_links;

static inline bool sm_is_link(const sm_link *link, const uint8_t *text) {
  uint64_t odd = ((sm_load(text) ^ link->head[0]) & link->mask[0]) | ((sm_load(text + 8) ^ link->head[1]) & link->mask[1]);
  if (odd != 0) return false;
  if (link->length <= 16) return true;
  const uint8_t *tail = text + link->length - 16;
  return ((sm_load(tail) ^ link->tail[0]) | (sm_load(tail + 8) ^ link->tail[1])) == 0;
}

// The link whose text is at `text`, where SM_LINK_ROOM bytes are readable; NULL if none is known.
static inline const sm_link *sm_find_link(const sm_place *place, const uint8_t *text) {
  const sm_link *link = *place;
  while (link != NULL && !sm_is_link(link, text)) link = link->next;
  return link;
}

// The place after a value that nothing is known of: no link leads on.
static inline sm_place *sm_nowhere(const sm_links *links) { return &links->places[links->id_count + SM_MOST_LINKS]; }

// Takes memory for the links of a selection, unless it is there; false if there is none.
bool sm_links_create(sm_links *links, const sm_selection *selection);
void sm_links_destroy(sm_links *links);

// Learns a link: `text` of `length` bytes leads from a place to the value of a member, NULL for one that is not wanted. Gives the
// place after that value.
sm_place *sm_learn(
    sm_links *links, sm_place *from, const uint8_t *text, size_t length, size_t entries, const sm_member *member, bool is_string);
// After each record: how many of its members are still unknown, and how many entries of the index it has.
void sm_links_end_record(sm_links *links, size_t unknown, size_t entries);

#endif
