/* Sends BYTES over TCP with lwIP (Debian's liblwip0), through the TAP device that PRECONFIGURED_TAPIF names: main FROM TO PORT BYTES. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lwip/api.h"
#include "lwip/netif.h"
#include "lwip/tcpip.h"
#include "netif/tapif.h"

static struct netif device;
static char chunk[16384];

static void die(const char *what, int error)
{
  fprintf(stderr, "%s: lwIP says %d\n", what, error);
  exit(1);
}

int main(int argc, char **argv)
{
  ip4_addr_t from, to, mask, gateway;
  if (argc != 5 || !ip4addr_aton(argv[1], &from) || !ip4addr_aton(argv[2], &to)) {
    fprintf(stderr, "main FROM TO PORT BYTES\n");
    return 2;
  }

  IP4_ADDR(&mask, 255, 255, 255, 0);
  ip4_addr_set_zero(&gateway);
  tcpip_init(NULL, NULL);
  LOCK_TCPIP_CORE();
  if (netif_add(&device, &from, &mask, &gateway, NULL, tapif_init, tcpip_input) == NULL) {
    die("netif_add", -1);
  }
  netif_set_default(&device);
  netif_set_up(&device);
  netif_set_link_up(&device);
  UNLOCK_TCPIP_CORE();

  struct netconn *connection = netconn_new(NETCONN_TCP);
  ip_addr_t peer;
  ip_addr_copy_from_ip4(peer, to);
  err_t error = netconn_connect(connection, &peer, (u16_t)atoi(argv[3]));
  if (error != ERR_OK) {
    die("connect", error);
  }

  for (long left = atol(argv[4]); left > 0;) {
    size_t written = left < (long)sizeof chunk ? (size_t)left : sizeof chunk;
    error = netconn_write(connection, chunk, written, NETCONN_COPY);
    if (error != ERR_OK) {
      die("write", error);
    }
    left -= (long)written;
  }

  netconn_close(connection);
  sleep(1); /* until everything is acknowledged */
  return 0;
}
