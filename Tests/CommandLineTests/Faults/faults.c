// Makes calls of the system fail, for a command that is started with this before the C library (LD_PRELOAD).
//
//   FAULT_CALL   read, write, pread, fsync, rename, unlink, ftruncate; yajl_parse, which stands for computing
//   FAULT_KIND   the name of an error (EIO, ENOSPC, EINTR, EAGAIN), short (one byte of what is asked), half (half of it, and an
//                error at the next call), kill (the process ends before the call), term (SIGTERM comes before the call), hang (the call never comes
//                back), drip (this call and all later ones do one byte, slowly)
//   FAULT_AT     at which call, from 1 up; 0: at every second one
//   FAULT_MARK   a file that is made when a fault happens
//
// Calls on standard input are counted, those on standard error are not.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value != NULL ? value : "";
}

static int error_number(const char *kind) {
  if (strcmp(kind, "ENOSPC") == 0 || strcmp(kind, "half") == 0) return ENOSPC;
  if (strcmp(kind, "EINTR") == 0) return EINTR;
  if (strcmp(kind, "EAGAIN") == 0) return EAGAIN;
  return EIO;
}

typedef enum { GO, FAIL, SHORTEN, HALVE } verdict;

static verdict judge(const char *call, int descriptor) {
  if (descriptor == STDERR_FILENO || strcmp(call, setting("FAULT_CALL")) != 0) return GO;
  const char *kind = setting("FAULT_KIND");
  long at = atol(setting("FAULT_AT")), number = atomic_fetch_add(&calls, 1) + 1;
  int is_half = strcmp(kind, "half") == 0, is_drip = strcmp(kind, "drip") == 0;
  if (at == 0 ? number % 2 == 0 : number != at && !(is_half && number == at + 1) && !(is_drip && number > at)) return GO;
  int mark = open(setting("FAULT_MARK"), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (mark >= 0) close(mark);
  if (strcmp(kind, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(kind, "term") == 0) {
    kill(getpid(), SIGTERM);
    return GO;
  }
  while (strcmp(kind, "hang") == 0) pause();
  if (is_drip) usleep(5000);
  if (strcmp(kind, "short") == 0 || is_drip) return SHORTEN;
  if (is_half && number == at) return HALVE;
  errno = error_number(kind);
  return FAIL;
}

static size_t shortened(verdict what, size_t size) {
  return what == SHORTEN && size > 1 ? 1 : what == HALVE ? (size + 1) / 2 : size;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t read(int descriptor, void *bytes, size_t size) {
  verdict what = judge("read", descriptor);
  return what == FAIL ? -1 : REAL(read)(descriptor, bytes, shortened(what, size));
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
  verdict what = judge("write", descriptor);
  return what == FAIL ? -1 : REAL(write)(descriptor, bytes, shortened(what, size));
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
  verdict what = judge("pread", descriptor);
  return what == FAIL ? -1 : REAL(pread)(descriptor, bytes, shortened(what, size), offset);
}

int fsync(int descriptor) { return judge("fsync", descriptor) == FAIL ? -1 : REAL(fsync)(descriptor); }

int ftruncate(int descriptor, off_t size) {
  return judge("ftruncate", descriptor) == FAIL ? -1 : REAL(ftruncate)(descriptor, size);
}

int renameat(int folder, const char *from, int other, const char *to) {
  return judge("rename", -1) == FAIL ? -1 : REAL(renameat)(folder, from, other, to);
}

int unlinkat(int folder, const char *path, int flags) {
  return judge("unlink", -1) == FAIL ? -1 : REAL(unlinkat)(folder, path, flags);
}

int yajl_parse(void *handle, const unsigned char *text, size_t size) {
  judge("yajl_parse", -1);
  return REAL(yajl_parse)(handle, text, size);
}
