/*
 * A stand-in for WinDivert.dll whose "network" is a test on the other end of a TCP connection: the test sends the packets and flows that the driver
 * would see, and takes back what the driver is given. It checks every argument as strictly as the reference describes the function; what is wrong is
 * told to the test as a note, and refused. The helpers are those of the genuine library (windivert.def), which lies beside it as WinDivert64.dll.
 *
 * Frames, both ways: length of the data (32 bits, little-endian), kind (32 bits), WINDIVERT_ADDRESS (80 bytes), the data.
 */
#include <winsock2.h>
#include <ws2tcpip.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYER_NETWORK 0
#define LAYER_FLOW 2
#define FLAG_SNIFF 1
#define FLAG_RECV_ONLY 4
#define BATCH_MAX 255
#define MTU_MAX (40 + 0xFFFF)
#define BIT_OUTBOUND (1u << 17)
#define BIT_IPV6 (1u << 20)
#define BITS_CHECKSUMS (7u << 21)

/* Kinds of frames. A test sends FLUSH, and gets it back when the packets before it are in the queues. */
enum { TAKEN = 0, PASSED = 1, NOTE = 2, FLUSH = 3 };

typedef struct
{
    int64_t timestamp;
    uint32_t bits; /* layer, event, flags */
    uint32_t reserved;
    uint32_t interface_index;
    uint32_t rest[15];
} address_t;

_Static_assert(sizeof(address_t) == 80, "WINDIVERT_ADDRESS has 80 bytes");

typedef struct packet
{
    struct packet *next;
    address_t address;
    uint32_t length;
    uint8_t data[];
} packet_t;

typedef struct
{
    int layer;
    char *filter;
    packet_t *first, *last;
    uint64_t limits[3]; /* queue length, time in ms, size */
    uint64_t length, size, dropped;
    int shut;
} divert_t;

typedef BOOL (*eval_t)(const char *, const void *, UINT, const address_t *);
typedef BOOL (*compile_t)(const char *, int, char *, UINT, const char **, UINT *);
typedef BOOL (*sums_t)(void *, UINT, address_t *, UINT64);

static eval_t eval_filter;
static compile_t compile_filter;
static sums_t calc_checksums;
static SOCKET test = INVALID_SOCKET;
static SRWLOCK lock = SRWLOCK_INIT, sending = SRWLOCK_INIT;
static CONDITION_VARIABLE changed = CONDITION_VARIABLE_INIT;
static divert_t *handles[2]; /* network, flow */

static const uint64_t minima[] = {32, 100, 65535}, maxima[] = {16384, 16000, 33554432}, defaults[] = {4096, 2000, 4194304};

static void send_all(const void *data, int length)
{
    const char *bytes = data;
    for (int sent; length > 0; bytes += sent, length -= sent)
        if ((sent = send(test, bytes, length, 0)) <= 0)
            return;
}

static void send_frame(uint32_t kind, const address_t *address, const void *data, uint32_t length)
{
    uint32_t head[2] = {length, kind};
    AcquireSRWLockExclusive(&sending);
    send_all(head, sizeof head);
    send_all(address, sizeof *address);
    send_all(data, (int)length);
    ReleaseSRWLockExclusive(&sending);
}

static void note(const char *format, ...)
{
    char text[512];
    address_t none = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    send_frame(NOTE, &none, text, (uint32_t)strlen(text));
}

/* An argument that the reference does not allow. */
static BOOL wrong(const char *what, const char *argument)
{
    note("wrong: %s, %s", what, argument);
    SetLastError(ERROR_INVALID_PARAMETER);
    return FALSE;
}

#define REQUIRE(condition) \
    do { if (!(condition)) return wrong(__func__, #condition); } while (0)

static BOOL receive_all(void *data, int length)
{
    char *bytes = data;
    for (int got; length > 0; bytes += got, length -= got)
        if ((got = recv(test, bytes, length, 0)) <= 0)
            return FALSE;
    return TRUE;
}

static BOOL is_open(const divert_t *handle)
{
    return handle != NULL && (handle == handles[0] || handle == handles[1]);
}

static packet_t *dequeue(divert_t *handle)
{
    packet_t *packet = handle->first;
    handle->first = packet->next;
    handle->length--;
    handle->size -= packet->length;
    return packet;
}

/* As the driver does: the oldest packet makes room, and nobody counts it; we do. */
static void enqueue(divert_t *handle, packet_t *packet)
{
    while (handle->first != NULL && (handle->length + 1 > handle->limits[0] || handle->size + packet->length > handle->limits[2]))
    {
        free(dequeue(handle));
        handle->dropped++;
    }
    packet->next = NULL;
    if (handle->first == NULL)
        handle->first = packet;
    else
        handle->last->next = packet;
    handle->last = packet;
    handle->length++;
    handle->size += packet->length;
    WakeAllConditionVariable(&changed);
}

static void deliver(packet_t *packet)
{
    int layer = packet->address.bits & 0xFF;
    if (packet->address.timestamp == 0)
        QueryPerformanceCounter((LARGE_INTEGER *)&packet->address.timestamp);
    AcquireSRWLockExclusive(&lock);
    divert_t *handle = handles[layer == LAYER_FLOW];
    BOOL meant = handle != NULL && !handle->shut &&
        eval_filter(handle->filter, layer == LAYER_FLOW ? NULL : packet->data, packet->length, &packet->address);
    if (meant)
        enqueue(handle, packet);
    ReleaseSRWLockExclusive(&lock);
    if (!meant)
    {
        if (layer == LAYER_NETWORK)
            send_frame(PASSED, &packet->address, packet->data, packet->length);
        free(packet);
    }
}

static DWORD WINAPI read_frames(void *unused)
{
    uint32_t head[2];
    while (receive_all(head, sizeof head))
    {
        packet_t *packet = malloc(sizeof *packet + head[0]);
        packet->length = head[0];
        if (!receive_all(&packet->address, sizeof packet->address) || !receive_all(packet->data, (int)head[0]))
            break;
        if (head[1] != FLUSH)
        {
            deliver(packet);
            continue;
        }
        send_frame(FLUSH, &packet->address, packet->data, 0);
        free(packet);
    }
    return 0;
}

static BOOL connect_to_test(void)
{
    WSADATA data;
    char port[16];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (test != INVALID_SOCKET)
        return TRUE;
    if (GetEnvironmentVariableA("STANDIN_PORT", port, sizeof port) == 0 || WSAStartup(MAKEWORD(2, 2), &data) != 0)
        return FALSE;
    address.sin_port = htons((uint16_t)atoi(port));
    test = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    int at_once = 1;
    setsockopt(test, IPPROTO_TCP, TCP_NODELAY, (const char *)&at_once, sizeof at_once);
    return connect(test, (struct sockaddr *)&address, sizeof address) == 0 && CreateThread(NULL, 0, read_frames, NULL, 0, NULL) != NULL;
}

HANDLE WinDivertOpen(const char *filter, int layer, INT16 priority, UINT64 flags)
{
    char refusal[16];
    if (GetEnvironmentVariableA("STANDIN_OPEN_ERROR", refusal, sizeof refusal) != 0)
    {
        SetLastError((DWORD)atoi(refusal));
        return INVALID_HANDLE_VALUE;
    }
    if (!connect_to_test() || filter == NULL || (layer != LAYER_NETWORK && layer != LAYER_FLOW) || priority < -30000 || priority > 30000 ||
        flags != (layer == LAYER_FLOW ? FLAG_SNIFF | FLAG_RECV_ONLY : 0) || handles[layer == LAYER_FLOW] != NULL ||
        !compile_filter(filter, layer, NULL, 0, NULL, NULL))
    {
        note("wrong: WinDivertOpen(%s, %d, %d, %llu)", filter, layer, priority, flags);
        SetLastError(ERROR_INVALID_PARAMETER);
        return INVALID_HANDLE_VALUE;
    }
    divert_t *handle = calloc(1, sizeof *handle);
    handle->layer = layer;
    handle->filter = _strdup(filter);
    memcpy(handle->limits, defaults, sizeof defaults);
    note("open %d %d %s", layer, priority, filter);
    AcquireSRWLockExclusive(&lock);
    handles[layer == LAYER_FLOW] = handle;
    ReleaseSRWLockExclusive(&lock);
    return handle;
}

/* Takes what fits: at least one packet is there. */
static UINT take(divert_t *handle, uint8_t *data, UINT capacity, address_t *addresses, UINT most, UINT *count)
{
    UINT used = 0;
    for (*count = 0; *count < most && handle->first != NULL && used + handle->first->length <= capacity; ++*count)
    {
        packet_t *packet = dequeue(handle);
        if (handle->layer == LAYER_NETWORK)
        {
            memcpy(data + used, packet->data, packet->length);
            used += packet->length;
        }
        addresses[*count] = packet->address;
        free(packet);
    }
    return used;
}

BOOL WinDivertRecvEx(divert_t *handle, void *data, UINT capacity, UINT *received, UINT64 flags, address_t *addresses, UINT *bytes, OVERLAPPED *overlapped)
{
    REQUIRE(is_open(handle));
    REQUIRE(flags == 0 && overlapped == NULL);
    REQUIRE(addresses != NULL && bytes != NULL && *bytes >= sizeof *addresses && *bytes % sizeof *addresses == 0 && *bytes <= BATCH_MAX * sizeof *addresses);
    REQUIRE(handle->layer == LAYER_FLOW ? data == NULL && capacity == 0 : data != NULL && capacity >= MTU_MAX);
    UINT count, used;
    char failure[16];
    if (handle->layer == LAYER_FLOW && GetEnvironmentVariableA("STANDIN_FLOW_ERROR", failure, sizeof failure) != 0)
    {
        SetLastError((DWORD)atoi(failure));
        return FALSE;
    }
    AcquireSRWLockExclusive(&lock);
    while (handle->first == NULL && !(handle->shut & 1))
        SleepConditionVariableSRW(&changed, &lock, INFINITE, 0);
    used = take(handle, data, handle->layer == LAYER_FLOW ? UINT_MAX : capacity, addresses, *bytes / sizeof *addresses, &count);
    ReleaseSRWLockExclusive(&lock);
    *bytes = count * sizeof *addresses;
    if (received != NULL)
        *received = used;
    SetLastError(count > 0 ? 0 : ERROR_NO_DATA);
    return count > 0;
}

/* The length that a packet's header tells; 0 for what is no packet. */
static UINT packet_length(const uint8_t *data, UINT rest)
{
    UINT length = 0;
    if (rest >= 20 && data[0] >> 4 == 4)
        length = data[2] << 8 | data[3];
    else if (rest >= 40 && data[0] >> 4 == 6)
        length = 40 + (data[4] << 8 | data[5]);
    return length <= rest ? length : 0;
}

/* Where a byte is in which two packets differ; their length where they do not. */
static UINT first_difference(const uint8_t *one, const uint8_t *other, UINT length)
{
    UINT at = 0;
    while (at < length && one[at] == other[at])
        at++;
    return at;
}

/*
 * Checksums that are said to be in the packet must be: calculated anew they are the same. A test that damages packets says so. A sum of TCP or UDP that comes out as 0 may stand there
 * as FFFF, which adds up to the same: so Linux writes it where no hardware does.
 */
static BOOL has_right_checksums(const uint8_t *data, UINT length, const address_t *address)
{
    static uint8_t copy[MTU_MAX];
    address_t unused = *address;
    memcpy(copy, data, length);
    if ((address->bits & BITS_CHECKSUMS) != BITS_CHECKSUMS || !calc_checksums(copy, length, &unused, 0))
        return (address->bits & BITS_CHECKSUMS) != BITS_CHECKSUMS;
    UINT header = data[0] >> 4 == 4 ? (data[0] & 15) * 4 : 40, at = first_difference(data, copy, length);
    UINT sum = header + (data[data[0] >> 4 == 4 ? 9 : 6] == 6 ? 16 : 6);
    if (at == sum && sum + 2 <= length && data[sum] == 0xFF && data[sum + 1] == 0xFF && copy[sum] == 0 && copy[sum + 1] == 0)
        at = sum + 2 + first_difference(data + sum + 2, copy + sum + 2, length - sum - 2);
    if (at < length)
        note("checksum: byte %u of %u is %02x, calculated %02x", at, length, data[at], copy[at]);
    return at == length;
}

static BOOL check_packet(const uint8_t *data, UINT length, const address_t *address)
{
    char damaged[4];
    REQUIRE(length > 0);
    REQUIRE((address->bits & 0xFFFF) == LAYER_NETWORK);
    REQUIRE(((address->bits & BIT_IPV6) != 0) == (data[0] >> 4 == 6));
    REQUIRE((address->bits & BIT_OUTBOUND) != 0 || address->interface_index != 0);
    REQUIRE(GetEnvironmentVariableA("STANDIN_DAMAGED", damaged, sizeof damaged) != 0 || has_right_checksums(data, length, address));
    return TRUE;
}

BOOL WinDivertSendEx(divert_t *handle, const uint8_t *data, UINT length, UINT *sent, UINT64 flags, const address_t *addresses, UINT bytes, OVERLAPPED *overlapped)
{
    REQUIRE(is_open(handle) && handle->layer == LAYER_NETWORK && !(handle->shut & 2));
    REQUIRE(flags == 0 && overlapped == NULL);
    REQUIRE(data != NULL && addresses != NULL && bytes >= sizeof *addresses && bytes % sizeof *addresses == 0 && bytes <= BATCH_MAX * sizeof *addresses);
    UINT offset = 0;
    for (UINT i = 0; i < bytes / sizeof *addresses; i++)
    {
        UINT one = packet_length(data + offset, length - offset);
        if (!check_packet(data + offset, one, &addresses[i]))
            return FALSE;
        offset += one;
    }
    REQUIRE(offset == length);
    offset = 0;
    for (UINT i = 0; i < bytes / sizeof *addresses; i++)
    {
        UINT one = packet_length(data + offset, length - offset);
        send_frame(TAKEN, &addresses[i], data + offset, one);
        offset += one;
    }
    if (sent != NULL)
        *sent = length;
    return TRUE;
}

BOOL WinDivertShutdown(divert_t *handle, int how)
{
    REQUIRE(is_open(handle));
    REQUIRE(how >= 1 && how <= 3);
    AcquireSRWLockExclusive(&lock);
    handle->shut |= how;
    WakeAllConditionVariable(&changed);
    ReleaseSRWLockExclusive(&lock);
    return TRUE;
}

/* What is still queued goes its way, as the driver lets it. */
BOOL WinDivertClose(divert_t *handle)
{
    REQUIRE(is_open(handle));
    AcquireSRWLockExclusive(&lock);
    handles[handle->layer == LAYER_FLOW] = NULL;
    ReleaseSRWLockExclusive(&lock);
    while (handle->first != NULL)
    {
        packet_t *packet = dequeue(handle);
        if (handle->layer == LAYER_NETWORK)
            send_frame(PASSED, &packet->address, packet->data, packet->length);
        free(packet);
    }
    note("close %d, dropped %llu", handle->layer, handle->dropped);
    free(handle->filter);
    free(handle);
    return TRUE;
}

BOOL WinDivertSetParam(divert_t *handle, int parameter, UINT64 value)
{
    REQUIRE(is_open(handle));
    REQUIRE(parameter >= 0 && parameter <= 2);
    REQUIRE(value >= minima[parameter] && value <= maxima[parameter]);
    handle->limits[parameter] = value;
    note("set %d %llu", parameter, value);
    return TRUE;
}

BOOL WinDivertGetParam(divert_t *handle, int parameter, UINT64 *value)
{
    REQUIRE(is_open(handle));
    REQUIRE(parameter >= 0 && parameter <= 4 && value != NULL);
    *value = parameter <= 2 ? handle->limits[parameter] : 2; /* version 2.2 */
    return TRUE;
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved)
{
    char path[MAX_PATH], *name;
    if (reason != DLL_PROCESS_ATTACH)
        return TRUE;
    GetModuleFileNameA(instance, path, sizeof path);
    name = strrchr(path, '\\') + 1;
    snprintf(name, (size_t)(path + sizeof path - name), "WinDivert64.dll");
    HMODULE genuine = LoadLibraryA(path);
    eval_filter = (eval_t)(void *)GetProcAddress(genuine, "WinDivertHelperEvalFilter");
    compile_filter = (compile_t)(void *)GetProcAddress(genuine, "WinDivertHelperCompileFilter");
    calc_checksums = (sums_t)(void *)GetProcAddress(genuine, "WinDivertHelperCalcChecksums");
    return eval_filter != NULL && compile_filter != NULL && calc_checksums != NULL;
}
