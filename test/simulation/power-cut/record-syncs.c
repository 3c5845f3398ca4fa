/*
 * Preloaded into every process of an index: writes down, in order, what happens to names and what is synced below one
 * directory, so that a power cut can be imitated on a copy (docs/decisions/0016-power-cuts.md). Nothing is synced for
 * real: what the disk would hold is worked out from the record.
 *
 * One line an event, fields between tabs. An inode is written as its number.
 *   C path inode    a file was made            M path inode    a folder was made
 *   U path          a file's name was removed  X path          a folder was removed
 *   R old new       a name was moved           L old new       a second name was made
 *   T inode size    a file was cut to a size   S inode size    a file was synced
 *   D inode         a folder was synced        A               everything was synced; before it `a inode size` a file
 *   E one other     two names were exchanged
 * Files that are written over in place (*.sqlite, *-wal, *-journal) are copied at each sync: KEEP/inode.one, and at each sync of
 * their own: KEEP/inode.two. A file that loses
 * its last name keeps one as KEEP/inode.gone: its removal may not have reached the disk, and its inode is not used again.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static const char *root, *record, *keep;
static size_t root_length;
static int record_fd = -1;
static __thread int inside;

#define REAL(name) ({ static void *found; if (!found) found = real_of(#name); (__typeof__(&name))found; })
static void *real_of(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  root = getenv("POWER_CUT_ROOT");
  record = getenv("POWER_CUT_RECORD");
  keep = getenv("POWER_CUT_KEEP");
  if (!root || !record || !keep) { root = NULL; return; }
  root_length = strlen(root);
  record_fd = REAL(open)(record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

/* The absolute path below the root, or 0. */
static int below(int folder, const char *path, char *out) {
  char base[PATH_MAX] = "";
  if (!root || inside || !path) return 0;
  if (path[0] != '/') {
    if (folder == AT_FDCWD) { if (!getcwd(base, sizeof base)) return 0; }
    else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      ssize_t length = readlink(link, base, sizeof base - 1);
      if (length < 0) return 0;
      base[length] = 0;
    }
  }
  char joined[PATH_MAX * 2];
  snprintf(joined, sizeof joined, "%s%s%s", base, base[0] ? "/" : "", path);
  /* Without `.`, `..` and doubled or trailing slashes. */
  char *parts[512]; int count = 0; char *rest = NULL;
  for (char *part = strtok_r(joined, "/", &rest); part && count < 512; part = strtok_r(NULL, "/", &rest)) {
    if (!strcmp(part, ".")) continue;
    if (!strcmp(part, "..")) { if (count) count--; continue; }
    parts[count++] = part;
  }
  size_t at = 0;
  for (int i = 0; i < count; i++) at += snprintf(out + at, PATH_MAX - at, "/%s", parts[i]);
  return !strncmp(out, root, root_length) && (out[root_length] == '/' || out[root_length] == 0);
}

static void say(const char *format, ...) {
  char line[PATH_MAX * 2 + 64];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (length > 0 && REAL(write)(record_fd, line, length) != length) abort();
}

static unsigned long inode_of(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 ? st.st_ino : 0;
}

static int is_overwritten(const char *path) {
  size_t length = strlen(path);
  return (length > 7 && !strcmp(path + length - 7, ".sqlite")) ||
         (length > 11 && !strcmp(path + length - 11, ".sqlite-wal")) ||
         (length > 15 && !strcmp(path + length - 15, ".sqlite-journal"));
}

/* Copies a file to KEEP/inode: a reader sees the old copy or the new one. */
static void keep_copy(const char *path, unsigned long inode, const char *suffix) {
  char next[PATH_MAX], last[PATH_MAX], buffer[65536];
  snprintf(next, sizeof next, "%s/%lu.next", keep, inode);
  snprintf(last, sizeof last, "%s/%lu%s", keep, inode, suffix);
  int from = REAL(open)(path, O_RDONLY | O_CLOEXEC), to = REAL(open)(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ssize_t count;
  while (from >= 0 && to >= 0 && (count = read(from, buffer, sizeof buffer)) > 0)
    if (REAL(write)(to, buffer, count) != count) abort();
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  REAL(rename)(next, last);
}

static void keep_gone(const char *path) {
  char gone[PATH_MAX];
  struct stat st;
  if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode)) return;
  snprintf(gone, sizeof gone, "%s/%lu.gone", keep, (unsigned long)st.st_ino);
  REAL(linkat)(AT_FDCWD, path, AT_FDCWD, gone, 0);
}

static int synced_file(int fd) {
  char link[64], path[PATH_MAX], real[PATH_MAX];
  struct stat st;
  if (!root || inside || fstat(fd, &st) != 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (!below(AT_FDCWD, path, real)) return 0;
  pthread_mutex_lock(&lock);
  inside = 1;
  if (S_ISDIR(st.st_mode)) say("D\t%lu\n", (unsigned long)st.st_ino);
  else {
    if (is_overwritten(real)) { keep_copy(real, st.st_ino, ".one"); keep_copy(real, st.st_ino, ".two"); }
    say("S\t%lu\t%lld\n", (unsigned long)st.st_ino, (long long)st.st_size);
  }
  inside = 0;
  pthread_mutex_unlock(&lock);
  return 1;
}

static int walk(const char *path, const struct stat *st, int type, struct FTW *place) {
  (void)place;
  if (type != FTW_F || !S_ISREG(st->st_mode)) return 0;
  if (is_overwritten(path)) keep_copy(path, st->st_ino, ".one");
  say("a\t%lu\t%lld\n", (unsigned long)st->st_ino, (long long)st->st_size);
  return 0;
}

static void synced_all(void) {
  pthread_mutex_lock(&lock);
  inside = 1;
  nftw(root, walk, 32, FTW_PHYS);
  say("A\n");
  inside = 0;
  pthread_mutex_unlock(&lock);
}

int fsync(int fd) { return synced_file(fd) ? 0 : REAL(fsync)(fd); }
int fdatasync(int fd) { return synced_file(fd) ? 0 : REAL(fdatasync)(fd); }
int syncfs(int fd) { if (!root) return REAL(syncfs)(fd); synced_all(); return 0; }
void sync(void) { if (root) synced_all(); else REAL(sync)(); }

/* Runs `action` and writes the event down before anybody else of this process does something. */
#define WITH(condition, action, event) \
  do { \
    if (!(condition)) return action; \
    pthread_mutex_lock(&lock); \
    __typeof__(action) answer = action; \
    int kept = errno; \
    if ((long)answer >= 0) { event; } \
    errno = kept; \
    pthread_mutex_unlock(&lock); \
    return answer; \
  } while (0)

static void opened(const char *path, int flags, unsigned long before) {
  if (before == 0) say("C\t%s\t%lu\n", path, inode_of(path));
  else if (flags & O_TRUNC) say("T\t%lu\t0\n", before);
}

#define OPEN(name, ...) \
  { \
    mode_t mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { va_list v; va_start(v, flags); mode = va_arg(v, mode_t); va_end(v); } \
    char full[PATH_MAX]; \
    int counts = (flags & (O_CREAT | O_TRUNC)) && below(folder, path, full); \
    unsigned long before = 0; \
    if (counts) { pthread_mutex_lock(&lock); before = inode_of(full); } \
    int fd = REAL(name)(__VA_ARGS__); \
    if (counts) { int kept = errno; if (fd >= 0) opened(full, flags, before); errno = kept; pthread_mutex_unlock(&lock); } \
    return fd; \
  }
int open(const char *path, int flags, ...) { int folder = AT_FDCWD; OPEN(open, path, flags, mode) }
int open64(const char *path, int flags, ...) { int folder = AT_FDCWD; OPEN(open64, path, flags, mode) }
int openat(int folder, const char *path, int flags, ...) OPEN(openat, folder, path, flags, mode)
int openat64(int folder, const char *path, int flags, ...) OPEN(openat64, folder, path, flags, mode)
int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int mkdirat(int folder, const char *path, mode_t mode) {
  char full[PATH_MAX];
  WITH(below(folder, path, full), REAL(mkdirat)(folder, path, mode), say("M\t%s\t%lu\n", full, inode_of(full)));
}
int mkdir(const char *path, mode_t mode) {
  char full[PATH_MAX];
  WITH(below(AT_FDCWD, path, full), REAL(mkdir)(path, mode), say("M\t%s\t%lu\n", full, inode_of(full)));
}
int unlinkat(int folder, const char *path, int flags) {
  char full[PATH_MAX];
  if (!(flags & AT_REMOVEDIR) && below(folder, path, full)) keep_gone(full);
  WITH(below(folder, path, full), REAL(unlinkat)(folder, path, flags), say("%s\t%s\n", flags & AT_REMOVEDIR ? "X" : "U", full));
}
int unlink(const char *path) {
  char full[PATH_MAX];
  if (below(AT_FDCWD, path, full)) keep_gone(full);
  WITH(below(AT_FDCWD, path, full), REAL(unlink)(path), say("U\t%s\n", full));
}
int rmdir(const char *path) {
  char full[PATH_MAX];
  WITH(below(AT_FDCWD, path, full), REAL(rmdir)(path), say("X\t%s\n", full));
}
int remove(const char *path) {
  struct stat st;
  if (lstat(path, &st) != 0) return -1;
  return S_ISDIR(st.st_mode) ? rmdir(path) : unlink(path);
}
static int moved(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  char old[PATH_MAX], new[PATH_MAX];
  int counts = below(from_folder, from, old) && below(to_folder, to, new);
  if (counts && flags == 0) keep_gone(new);
  WITH(counts, (int)REAL(syscall)(SYS_renameat2, from_folder, from, to_folder, to, flags),
       say("%s\t%s\t%s\n", flags & RENAME_EXCHANGE ? "E" : "R", old, new));
}
int rename(const char *from, const char *to) { return moved(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int a, const char *from, int b, const char *to) { return moved(a, from, b, to, 0); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { return moved(a, from, b, to, flags); }
static int linked(int a, const char *from, int b, const char *to, int flags) {
  char old[PATH_MAX], new[PATH_MAX];
  int counts = below(a, from, old) && below(b, to, new);
  WITH(counts, REAL(linkat)(a, from, b, to, flags), say("L\t%s\t%s\n", old, new));
}
int link(const char *from, const char *to) { return linked(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int a, const char *from, int b, const char *to, int flags) { return linked(a, from, b, to, flags); }

static int cut(int fd, off_t size, int failed) {
  struct stat st;
  char link[64], path[PATH_MAX], full[PATH_MAX];
  if (failed || !root || inside || fstat(fd, &st) != 0) return failed;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return failed;
  path[length] = 0;
  if (below(AT_FDCWD, path, full)) say("T\t%lu\t%lld\n", (unsigned long)st.st_ino, (long long)size);
  return failed;
}
int ftruncate(int fd, off_t size) { return cut(fd, size, REAL(ftruncate)(fd, size)); }
int ftruncate64(int fd, off64_t size) { return cut(fd, size, REAL(ftruncate64)(fd, size)); }

/* ClickHouse exchanges names by the bare system call. */
long syscall(long number, ...) {
  long a[6];
  va_list values;
  va_start(values, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(values, long);
  va_end(values);
  if (number == SYS_renameat2 && root && !inside)
    return moved((int)a[0], (const char *)a[1], (int)a[2], (const char *)a[3], (unsigned)a[4]);
  return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
