// Sends data over TCP from a stack that is neither the kernel's nor ours: gVisor's, on a TUN device that is there already.
//
//	send -tun NAME -from ADDRESS -to ADDRESS:PORT -bytes N [-congestion cubic|reno] [-recovery rack|sack]
package main

import (
	"flag"
	"log"
	"net"
	"strconv"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/fdbased"
	"gvisor.dev/gvisor/pkg/tcpip/link/tun"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
)

const (
	nic        = 1
	mtu        = 1500
	bufferSize = 16 << 20 // more than any path here holds: the congestion window is to be the limit
)

func main() {
	device := flag.String("tun", "tun0", "the device")
	from := flag.String("from", "", "address of the stack")
	to := flag.String("to", "", "address and port of the receiver")
	bytes := flag.Int("bytes", 10_000_000, "how much")
	congestion := flag.String("congestion", "cubic", "cubic or reno")
	recovery := flag.String("recovery", "rack", "rack, or sack: by duplicate acknowledgments")
	flag.Parse()

	host, service, err := net.SplitHostPort(*to)
	check(err)
	port, err := strconv.Atoi(service)
	check(err)
	connection, err := gonet.DialTCP(open(*device, *from, *congestion, *recovery), tcpip.FullAddress{NIC: nic, Addr: address(host), Port: uint16(port)}, ipv4.ProtocolNumber)
	check(err)
	send(connection, *bytes)
}

func open(device, from, congestion, recovery string) *stack.Stack {
	fd, err := tun.Open(device)
	check(err)
	link, err := fdbased.New(&fdbased.Options{FDs: []int{fd}, MTU: mtu})
	check(err)
	s := stack.New(stack.Options{
		NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol},
	})
	must(s.CreateNIC(nic, link))
	must(s.AddProtocolAddress(nic, tcpip.ProtocolAddress{
		Protocol: ipv4.ProtocolNumber, AddressWithPrefix: address(from).WithPrefix(),
	}, stack.AddressProperties{}))
	s.SetRouteTable([]tcpip.Route{{Destination: header.IPv4EmptySubnet, NIC: nic}})

	sack := tcpip.TCPSACKEnabled(true)
	must(s.SetTransportProtocolOption(tcp.ProtocolNumber, &sack))
	control := tcpip.CongestionControlOption(congestion)
	must(s.SetTransportProtocolOption(tcp.ProtocolNumber, &control))
	detection := tcpip.TCPRecovery(0)
	if recovery == "rack" {
		detection = tcpip.TCPRACKLossDetection
	}
	must(s.SetTransportProtocolOption(tcp.ProtocolNumber, &detection))
	room := tcpip.TCPSendBufferSizeRangeOption{Min: 4096, Default: bufferSize, Max: bufferSize}
	must(s.SetTransportProtocolOption(tcp.ProtocolNumber, &room))
	return s
}

func send(connection *gonet.TCPConn, bytes int) {
	chunk := make([]byte, 1<<16)
	for sent := 0; sent < bytes; {
		n, err := connection.Write(chunk[:min(len(chunk), bytes-sent)])
		check(err)
		sent += n
	}

	check(connection.CloseWrite())
	check(connection.SetReadDeadline(time.Now().Add(time.Minute)))
	_, _ = connection.Read(chunk) // until the receiver has everything, and closes
}

func address(text string) tcpip.Address { return tcpip.Address(net.ParseIP(text).To4()) }

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func must(err tcpip.Error) {
	if err != nil {
		log.Fatal(err)
	}
}
