// A sender and a receiver of numbered UDP datagrams, for path-definitions.py: the time of sending is in each datagram, the time of arrival is the kernel's.
//
//   probe send ADDRESS PORT BYTES PER_SECOND SECONDS
//   probe receive PORT SECONDS        prints "number sent_ns arrived_ns bytes" for each datagram; SECONDS after the last one it ends
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int do_send(char **arg) {
    int bytes = atoi(arg[2]);
    double gap = 1e9 / atof(arg[3]);
    uint64_t packets = (uint64_t)(atof(arg[3]) * atof(arg[4]));
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arg[1]))};
    inet_pton(AF_INET, arg[0], &to.sin_addr);
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    char buffer[65536] = {0};
    uint64_t start = now();
    for (uint64_t i = 0; i < packets; i++) {
        uint64_t due = start + (uint64_t)(gap * (double)i);
        uint64_t at = now();
        if (due > at + 50000) {
            struct timespec pause = {0, (long)(due - at - 40000) % 1000000000};
            pause.tv_sec = (time_t)((due - at - 40000) / 1000000000u);
            nanosleep(&pause, NULL);
        }
        uint64_t stamp[2] = {i, now()};
        memcpy(buffer, stamp, sizeof stamp);
        sendto(s, buffer, (size_t)bytes, 0, (struct sockaddr *)&to, sizeof to);
    }
    return 0;
}

static int do_receive(char **arg) {
    int s = socket(AF_INET, SOCK_DGRAM, 0), on = 1, room = 64 << 20;
    setsockopt(s, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
    struct timeval limit = {atoi(arg[1]), 0};
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arg[0]))};
    if (bind(s, (struct sockaddr *)&at, sizeof at) != 0) {
        perror("bind");
        return 1;
    }
    char buffer[65536], control[256];
    while (1) {
        struct iovec part = {buffer, sizeof buffer};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        ssize_t bytes = recvmsg(s, &message, 0);
        if (bytes < 16) {
            return 0;
        }
        uint64_t stamp[2], arrived = now();
        memcpy(stamp, buffer, sizeof stamp);
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c != NULL; c = CMSG_NXTHDR(&message, c)) {
            if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
                struct timespec t;
                memcpy(&t, CMSG_DATA(c), sizeof t);
                arrived = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
            }
        }
        printf("%lu %lu %lu %zd\n", (unsigned long)stamp[0], (unsigned long)stamp[1], (unsigned long)arrived, bytes);
    }
}

int main(int count, char **arg) {
    if (count == 7 && strcmp(arg[1], "send") == 0) {
        return do_send(arg + 2);
    }
    if (count == 4 && strcmp(arg[1], "receive") == 0) {
        return do_receive(arg + 2);
    }
    fprintf(stderr, "usage: probe send ADDRESS PORT BYTES PER_SECOND SECONDS | probe receive PORT SECONDS\n");
    return 2;
}
