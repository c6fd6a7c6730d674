/* System calls that fail, or that a process does not survive. Loaded before libc by LD_PRELOAD;
 * `arm` chooses for the calling process which call it is, counted from then on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, RENAME, FSYNC, TRUNCATE, UNLINK };
enum { KILL_BEFORE = 1, KILL_AFTER, KILL_HALF, FULL, READ_ONLY };

static int chosen, left, action;
static long jump;

void arm(int call, int count, int what, long seconds) {
    chosen = call, left = count, action = what, jump = seconds;
}

static void die(void) { raise(SIGKILL); }

/* Whether this call is the chosen one; a disk that is full or read-only stays so. */
static int is_hit(int call) {
    if (call != chosen) return 0;
    if (left > 0 && --left > 0) return 0;
    if (action == KILL_BEFORE) die();
    return action;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define THROUGH(call, value, fails) \
    int hit = is_hit(call); \
    if (hit == READ_ONLY && (fails)) { errno = EROFS; return -1; } \
    if (hit == FULL && (fails)) { errno = ENOSPC; return -1; } \
    __auto_type result = (value); \
    if (hit == KILL_AFTER) die(); \
    return result;

static int changes(int flags) { return flags & (O_WRONLY | O_RDWR | O_CREAT); }

#define MODE va_list list; va_start(list, flags); int mode = va_arg(list, int); va_end(list)
int open64(const char *path, int flags, ...) {
    MODE;
    THROUGH(changes(flags) ? OPEN : 0, REAL(open64)(path, flags, mode), flags & O_CREAT || action == READ_ONLY)
}
int open(const char *path, int flags, ...) {
    MODE;
    THROUGH(changes(flags) ? OPEN : 0, REAL(open)(path, flags, mode), flags & O_CREAT || action == READ_ONLY)
}
int openat64(int folder, const char *path, int flags, ...) {
    MODE;
    THROUGH(changes(flags) ? OPEN : 0, REAL(openat64)(folder, path, flags, mode), flags & O_CREAT || action == READ_ONLY)
}
int openat(int folder, const char *path, int flags, ...) {
    MODE;
    THROUGH(changes(flags) ? OPEN : 0, REAL(openat)(folder, path, flags, mode), flags & O_CREAT || action == READ_ONLY)
}
ssize_t write(int file, const void *data, size_t size) {
    ssize_t (*real)(int, const void *, size_t) = REAL(write);
    int hit = is_hit(WRITE);
    if (hit == FULL || hit == KILL_HALF) size /= 2;
    if (hit == FULL && size == 0) { errno = ENOSPC; return -1; }
    ssize_t result = real(file, data, size);
    if (hit == KILL_AFTER || hit == KILL_HALF) die();
    return result;
}
int rename(const char *from, const char *to) { THROUGH(RENAME, REAL(rename)(from, to), 1) }
int renameat(int a, const char *from, int b, const char *to) {
    THROUGH(RENAME, REAL(renameat)(a, from, b, to), 1)
}
int fsync(int file) { THROUGH(FSYNC, REAL(fsync)(file), 1) }
int ftruncate64(int file, off64_t size) { THROUGH(TRUNCATE, REAL(ftruncate64)(file, size), 0) }
int unlink(const char *path) { THROUGH(UNLINK, REAL(unlink)(path), 0) }
int unlinkat(int folder, const char *path, int flags) {
    THROUGH(UNLINK, REAL(unlinkat)(folder, path, flags), 0)
}
int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = REAL(clock_gettime)(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += jump;
    return result;
}
