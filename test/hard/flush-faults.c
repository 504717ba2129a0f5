// Preloaded into a service: delays its flushes, or lets them fail as Linux does. What was written since the last flush of a file is then lost: it stays in
// memory, but no later flush writes it. test/hard/flush-faults.ts sets the faults and replays the events.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { LOG, DATABASE, FILES, FOLDERS, BACKUPS, KINDS };

struct faults {
  uint32_t failing, delayed, max_ms; // per mille, per mille, milliseconds
  uint32_t flushes, failures, delays; // counted
};

struct control {
  uint32_t seed, drawn;
  struct faults faults[KINDS];
};

struct event {
  uint64_t type, inode, offset, length;
};

enum { CREATED, WRITTEN, FLUSHED, LOST };

#define MAX_FILES 4096
static uint64_t failed_elsewhere[MAX_FILES]; // by descriptor: the inode whose failure it hasn't reported
static struct control *control;
static int events = -1;
static const char *root, *backups;
static dev_t device;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("PIXDOCK_FLUSH_CONTROL");
  root = getenv("PIXDOCK_FLUSH_ROOT");
  backups = getenv("PIXDOCK_FLUSH_BACKUPS");
  struct stat found;
  if (!path || !root || !backups || stat(root, &found) != 0) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  events = open(getenv("PIXDOCK_FLUSH_EVENTS"), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0 || events < 0) abort();
  device = found.st_dev;
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) abort();
  close(file);
  control = mapped;
}

#define REAL(name) __extension__({ \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
  real; })

static void note(uint64_t type, uint64_t inode, uint64_t offset, uint64_t length) {
  struct event event = {type, inode, offset, length};
  if (REAL(write)(events, &event, sizeof event) != sizeof event) abort();
}

/** Whether a descriptor is of a file or folder on the disk. */
static int is_on_disk(int fd, struct stat *found) {
  return control && fstat(fd, found) == 0 && found->st_dev == device && (S_ISREG(found->st_mode) || S_ISDIR(found->st_mode));
}

static void written(int fd, off_t offset, ssize_t length) {
  struct stat found;
  if (length <= 0 || !is_on_disk(fd, &found)) return;
  int before = errno;
  if (offset < 0) offset = lseek(fd, 0, SEEK_CUR) - length;
  note(WRITTEN, found.st_ino, (uint64_t)offset, (uint64_t)length);
  errno = before;
}

/** A new file may have the number of one that is gone. */
static int opened(int fd) {
  struct stat found;
  int before = errno;
  if (fd >= 0 && is_on_disk(fd, &found) && S_ISREG(found.st_mode) && found.st_size == 0) note(CREATED, found.st_ino, 0, 0);
  errno = before;
  return fd;
}

static int begins_with(const char *path, const char *start) { return strncmp(path, start, strlen(start)) == 0; }

static enum kind kind_of(int fd, int is_folder) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  if (begins_with(path, backups)) return BACKUPS;
  if (is_folder) return FOLDERS;
  const char *name = begins_with(path, root) ? path + strlen(root) : path;
  return strcmp(name, "/pixdock.db-wal") == 0 ? LOG : strcmp(name, "/pixdock.db") == 0 ? DATABASE : FILES;
}

/** Uniform, below 1000. */
static uint32_t draw(void) {
  uint32_t x = control->seed + 0x9e3779b9u * __atomic_add_fetch(&control->drawn, 1, __ATOMIC_RELAXED);
  x = (x ^ x >> 16) * 0x21f0aaadu;
  x = (x ^ x >> 15) * 0x735a2d97u;
  return (x ^ x >> 15) % 1000;
}

static void add(uint32_t *counter) { __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED); }

/** Each open descriptor of a file reports a failure once. */
static void fail_elsewhere(int fd, const struct stat *failed) {
  for (int other = 0; other < MAX_FILES; other++) {
    struct stat found;
    if (other != fd && fstat(other, &found) == 0 && found.st_dev == failed->st_dev && found.st_ino == failed->st_ino)
      failed_elsewhere[other] = failed->st_ino;
  }
}

static int flush(int fd, int (*real)(int)) {
  struct stat found;
  if (!is_on_disk(fd, &found)) return real(fd);
  int is_folder = S_ISDIR(found.st_mode);
  struct faults *faults = &control->faults[kind_of(fd, is_folder)];
  add(&faults->flushes);
  if (draw() < faults->delayed) {
    add(&faults->delays);
    uint64_t ms = (uint64_t)faults->max_ms * draw() / 1000;
    struct timespec pause = {(time_t)(ms / 1000), (long)(ms % 1000 * 1000000)};
    nanosleep(&pause, NULL);
  }
  if (draw() < faults->failing) {
    add(&faults->failures);
    if (!is_folder) {
      note(LOST, found.st_ino, 0, 0);
      fail_elsewhere(fd, &found);
    }
    errno = EIO;
    return -1;
  }
  int result = real(fd);
  if (result != 0 || is_folder) return result;
  note(FLUSHED, found.st_ino, 0, 0);
  if (fd >= MAX_FILES || failed_elsewhere[fd] != found.st_ino) return 0;
  failed_elsewhere[fd] = 0;
  errno = EIO;
  return -1;
}

static mode_t mode_of(int flags, va_list arguments) { return flags & O_CREAT ? va_arg(arguments, mode_t) : 0; }

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened(REAL(open)(path, flags, mode));
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened(REAL(open64)(path, flags, mode));
}

int fsync(int fd) { return flush(fd, REAL(fsync)); }
int fdatasync(int fd) { return flush(fd, REAL(fdatasync)); }

ssize_t write(int fd, const void *bytes, size_t length) {
  ssize_t done = REAL(write)(fd, bytes, length);
  written(fd, -1, done);
  return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  ssize_t done = REAL(writev)(fd, parts, count);
  written(fd, -1, done);
  return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  ssize_t done = REAL(pwrite)(fd, bytes, length, offset);
  written(fd, offset, done);
  return done;
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  ssize_t done = REAL(pwritev)(fd, parts, count, offset);
  written(fd, offset, done);
  return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return pwrite(fd, bytes, length, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return pwritev(fd, parts, count, offset); }

ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
  ssize_t done = REAL(sendfile)(to, from, offset, length);
  written(to, -1, done);
  return done;
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) { return sendfile(to, from, offset, length); }
