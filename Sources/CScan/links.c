// Learning of links; see `links.h`.

#include "links.h"

#include <stdlib.h>

// The most links from one place, and how many may be learned at once. PERF: two formats whose members have different orders, and
// members that are sometimes left out, need no more from most places.
enum { MOST_FROM_PLACE = 4, FIRST_CREDIT = SM_MOST_LINKS, MOST_CREDIT = 64 };
// After as many records with something unknown, full memory is emptied.
enum { MOST_MISSES = 256 };
// The entries of a member, about; and after how many strange records the pauses do not grow any more.
enum { MEMBER_ENTRIES = 5, MOST_STRANGE = 7 };

bool sm_links_create(sm_links *links, const sm_selection *selection) {
  if (links->links != NULL) return true;
  links->id_count = selection->id_count;
  links->places = calloc(links->id_count + SM_MOST_LINKS + 1, sizeof *links->places);
  links->links = malloc(SM_MOST_LINKS * sizeof *links->links);
  links->credit = FIRST_CREDIT;
  if (links->places != NULL && links->links != NULL) return true;
  sm_links_destroy(links);
  return false;
}

void sm_links_destroy(sm_links *links) {
  free(links->places);
  free(links->links);
  *links = (sm_links){0};
}

sm_place *sm_learn(
    sm_links *links, sm_place *from, const uint8_t *text, size_t length, size_t entries, const sm_member *member, bool is_string) {
  sm_place *known = member != NULL ? &links->places[member->id] : sm_nowhere(links);
  if (from == sm_nowhere(links) || links->credit == 0 || length > SM_LINK_ROOM) return known;
  size_t count = 0;
  sm_link **last = from;
  while (*last != NULL && count + 1 < MOST_FROM_PLACE) {
    last = &(*last)->next;
    count++;
  }
  if (*last == NULL && links->count == SM_MOST_LINKS) return known;
  links->credit--;
  // Where there are many, the last one is replaced; the place that it leads to is used again.
  sm_link *link = *last != NULL ? *last : &links->links[links->count++];
  uint8_t copy[SM_LINK_ROOM] = {0}, mask[16] = {0};
  memcpy(copy, text, length);
  memset(mask, 255, length < 16 ? length : 16);
  sm_place *own = &links->places[links->id_count + (size_t)(link - links->links)];
  *own = NULL;
  *link = (sm_link){
      .head = {sm_load(copy), sm_load(copy + 8)}, .mask = {sm_load(mask), sm_load(mask + 8)}, .member = member,
      .place = member != NULL ? known : own, .length = (uint8_t)length, .entries = (uint8_t)entries, .is_string = is_string};
  if (length > 16) {
    link->tail[0] = sm_load(copy + length - 16);
    link->tail[1] = sm_load(copy + length - 8);
  }
  *last = link;
  return link->place;
}

void sm_links_end_record(sm_links *links, size_t unknown, size_t entries) {
  if (links->pause > 0) {
    links->pause--;
    return;
  }
  if (links->credit < MOST_CREDIT) links->credit++;
  if (unknown * MEMBER_ENTRIES * 2 > entries) {
    if (links->strange < MOST_STRANGE) links->strange++;
    links->pause = ((uint32_t)1 << links->strange) - 1;
  } else if (links->strange > 0) {
    links->strange--;
  }
  if (unknown == 0 || links->count < SM_MOST_LINKS) return;
  if (++links->misses < MOST_MISSES) return;
  memset(links->places, 0, (links->id_count + SM_MOST_LINKS) * sizeof *links->places);
  links->count = 0;
  links->misses = 0;
  links->credit = MOST_CREDIT;
}
