/* Ways to change a file from C, all in one folder; what is to be told of each stands in test_languages.py. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/fs.h>

static void put(const char *path, int flags, const char *text) {
    int file = open(path, flags, 0644);
    if (file >= 0) {
        if (write(file, text, strlen(text)) < 0) _exit(3);
        close(file);
    }
}

static void *threaded(void *path) {
    put(path, O_CREAT | O_WRONLY, "thread\n");
    return 0;
}

int main(void) {
    FILE *stream = fopen("stdio", "w");
    fputs("by stdio\n", stream);
    fclose(stream);
    stream = fopen("a", "a");
    fputs("more\n", stream);
    fclose(stream);

    pthread_t threads[8];
    static char names[8][16];
    for (int i = 0; i < 8; i++) {
        snprintf(names[i], sizeof names[i], "thread-%d", i);
        pthread_create(&threads[i], 0, threaded, names[i]);
    }
    for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);

    if (vfork() == 0) {
        execlp("cp", "cp", "a", "by-vfork", (char *)0);
        _exit(4);
    }
    wait(0);

    int file = open("mapped", O_CREAT | O_RDWR, 0644);
    if (ftruncate(file, 4096)) return 5;
    char *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    strcpy(memory, "stored after close");
    munmap(memory, 4096);

    file = open("vector", O_CREAT | O_WRONLY, 0644);
    struct iovec parts[2] = {{"one ", 4}, {"two\n", 4}};
    if (pwritev2(file, parts, 2, 0, 0) < 0) return 6;
    close(file);

    int from = open("a", O_RDONLY), to = open("cloned", O_CREAT | O_WRONLY, 0644);
    if (ioctl(to, FICLONE, from)) put("cloned", O_WRONLY, "no clones on this file system\n");

    int nowhere = syscall(SYS_io_uring_setup, 8, 0);
    if (nowhere >= 0) return 7;

    put("missing/folder", O_CREAT | O_WRONLY, "");
    put("/dev/null", O_WRONLY, "nothing");
    unlink("missing");
    rename("b", "c");
    return 0;
}
