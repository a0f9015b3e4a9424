// What the runs over rows share: those that write texts, and those that fill columns.

#ifndef STREAMMAP_NEXT_ROW_H
#define STREAMMAP_NEXT_ROW_H

#include "row_writer.h"
#include "walker.h"

// Goes to the next row that a run takes. False: `done` says what came instead. The parameters are as in sm_row_run.
static inline bool next_row(
    sm_walker *walker, sm_written_rows *done, bool *has_row, uint64_t most, sm_row_begin *begin, void *context) {
  done->stop = SM_STOP_STEP;
  for (;;) {
    done->step = *has_row ? SM_STEP_ROW : sm_walker_next(walker);
    *has_row = false;
    if (done->step != SM_STEP_ROW || walker->record.end - walker->record.start > most) return false;
    if (begin == NULL) return true;
    switch (begin(context, done->count + done->left_out)) {
    case SM_ROW_TAKEN: return true;
    case SM_ROW_PASSED: continue;
    case SM_ROW_ALONE: return false;
    }
  }
}

#endif
