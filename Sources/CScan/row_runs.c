// Rows that are written one after the other, as JSON or in another form; see `row_writer.h`.

#include "next_row.h"
#include "row_writer.h"

// Writes a row as JSON, with what stands around it.
static sm_write_result write_between_ends(sm_row row, const sm_row_program *program, sm_output *output, const sm_row_run *run) {
  size_t before = output->count;
  if (output->capacity - before < 2 * SM_WRITE_ROOM) return SM_NO_ROOM;
  for (size_t i = 0; i < run->prefix; i++) output->start[output->count++] = run->ends[i];
  sm_write_result result = sm_write_row(row, program, output);
  if (result == SM_WRITTEN && output->capacity - output->count < run->suffix) result = SM_NO_ROOM;
  if (result == SM_WRITTEN) {
    for (size_t i = 0; i < run->suffix; i++) output->start[output->count++] = run->ends[run->prefix + i];
  } else {
    output->count = before;
  }
  return result;
}

// Writes a row in a form; SM_REFUSED if the form cannot hold it, too.
static sm_write_result write_in_form(
    sm_row row, const sm_row_program *program, sm_output *output, sm_text_form_writer *form, bool *lacks_record) {
  if (form->columns != NULL) {
    sm_write_result result = sm_write_row_cells(row, program, output, form, lacks_record);
    // An object that is opened, or has no cells, is written as text.
    if (result != SM_REFUSED) return result;
  }
  if (form->form->kind == SM_AS_INDENTED) return sm_write_row_indented(row, program, output);
  sm_output record = {.start = form->record, .capacity = form->record_capacity};
  sm_write_result result = sm_write_row(row, program, &record);
  *lacks_record = result == SM_NO_ROOM;
  if (result != SM_WRITTEN) return result;
  switch (sm_write_form(form, record.start, record.count, output)) {
  case SM_FORM_WRITTEN: return SM_WRITTEN;
  case SM_FORM_NO_ROOM: return SM_NO_ROOM;
  case SM_FORM_UNHELD: return SM_REFUSED;
  }
  return SM_REFUSED;
}

sm_written_rows sm_write_rows(sm_walker *walker, const sm_row_program *program, sm_output *output, sm_row_run run) {
  sm_written_rows done = {0};
  while (output->count < run.enough) {
    if (!next_row(walker, &done, &run.has_row, run.most, run.begin, run.context)) return done;
    sm_row row = sm_walker_row(walker);
    bool lacks_record = false;
    sm_write_result result = run.form == NULL ? write_between_ends(row, program, output, &run)
                                              : write_in_form(row, program, output, run.form, &lacks_record);
    if (result == SM_NO_ROOM) {
      done.stop = lacks_record ? SM_STOP_NO_RECORD_ROOM : SM_STOP_NO_ROOM;
      return done;
    }
    // It is the step that comes next.
    if (result == SM_REFUSED) return done;
    done.last = walker->record;
    if (run.note != NULL) run.note(run.context, &row);
    if (result == SM_LEFT_OUT) {
      done.left_out++;
      continue;
    }
    done.count++;
  }
  done.stop = SM_STOP_ENOUGH;
  return done;
}
