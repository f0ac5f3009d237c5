#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **words) {
    const char *path = words[2];
    int done = !strcmp(words[1], "open")     ? open(path, O_RDWR | O_TRUNC)
               : !strcmp(words[1], "rename") ? rename("plain", path)
               : !strcmp(words[1], "unlink") ? unlink(path)
               : !strcmp(words[1], "chmod")  ? chmod(path, 0600)
                                             : truncate(path, 0);
    return done < 0 ? errno : 0;
}
