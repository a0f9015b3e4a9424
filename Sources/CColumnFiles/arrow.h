// Arrow's IPC formats: a stream of messages, and the file that has such a stream and says where its batches are.

#ifndef STREAMMAP_ARROW_FILE_H
#define STREAMMAP_ARROW_FILE_H

#include "field.h"

typedef struct sm_arrow sm_arrow;

sm_arrow *sm_arrow_create(const sm_field *record, bool is_file, sm_file_result *result);
void sm_arrow_destroy(sm_arrow *arrow);
// The pieces are the batch's own buffers.
sm_file_result sm_arrow_add(sm_arrow *arrow, const struct ArrowArray *batch);
sm_file_result sm_arrow_end(sm_arrow *arrow);
size_t sm_arrow_pieces(const sm_arrow *arrow, const sm_file_piece **pieces);

#endif
