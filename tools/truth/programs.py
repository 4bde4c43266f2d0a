"""The programs at both ends: a web server, a name server, and clients of many kinds."""

import http.server
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from urllib.parse import parse_qs, urlsplit

SERVER = os.environ["SERVER"]  # its address
CONTROL = os.environ.get("CONTROL", "cubic")  # congestion control of clients
CHUNK = 65536


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        ask = self.parameters()
        time.sleep(float(ask.get("delay", 0)))
        if "sndbuf" in ask:
            set_send_buffer(self.connection, int(ask["sndbuf"]))
        if "outage" in ask:
            threading.Thread(target=outage, args=(float(ask["outage"]),)).start()
        size, piece = int(ask.get("size", 1000)), int(ask.get("piece", ask.get("sndbuf", CHUNK)))
        self.send_response(200)
        self.send_header("Content-Length", str(size))
        if "halves" in ask:
            self.end_headers()
            self.wfile.write(bytes(size))
            return
        self._headers_buffer.append(b"\r\n" + bytes(min(piece, size)))  # head and body in one write
        self.flush_headers()
        for start in range(piece, size, piece):
            if start > int(ask.get("reset", size)):
                reset(self.connection)
            time.sleep(float(ask.get("every", 0)))
            self.wfile.write(bytes(min(piece, size - start)))

    def do_PUT(self):
        ask = self.parameters()
        left = int(self.headers["Content-Length"])
        while left > 0:
            part = self.rfile.read(min(left, 16384))
            if not part:
                return
            left -= len(part)
            if "rate" in ask:
                time.sleep(len(part) / float(ask["rate"]))
        self.send_response(204)
        self.end_headers()

    def parameters(self):
        return {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # customers give up, and that is no fault of the server


def serve(port, control, receive_buffer):
    server = Server(("0.0.0.0", int(port)), Handler, bind_and_activate=False)
    server.allow_reuse_address = True
    server.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, control.encode())
    if int(receive_buffer):
        server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, int(receive_buffer) // 2)
    server.server_bind()
    server.server_activate()
    threading.Thread(target=answer_names, daemon=True).start()
    server.serve_forever()


def set_send_buffer(connection, size):
    """Twice what is set is what the kernel has. Without TCP_NODELAY a segment that waits takes in what is written, past the limit of the buffer."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size // 2)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def reset(connection):
    """Closes with a reset, as a program does that breaks off (SO_LINGER of zero seconds)."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(connection.detach())
    raise ConnectionResetError


def outage(seconds):
    """Nothing leaves this namespace for some time, while data flows."""
    time.sleep(0.8)
    for change in ("-A", "-D"):
        subprocess.run(["iptables", change, "OUTPUT", "-p", "tcp", "-j", "DROP"], check=True)
        time.sleep(seconds)


def answer_names():
    """Answers each question for an address with that of the server (RFC 1035 section 4.1), and none for IPv6."""
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("0.0.0.0", 53))
    while True:
        query, client = names.recvfrom(512)
        end = query.index(0, 12) + 5
        is_a = query[end - 4:end - 2] == b"\x00\x01"
        answer = b"\xc0\x0c\x00\x01\x00\x01" + struct.pack(">IH", 60, 4) + socket.inet_aton(SERVER) if is_a else b""
        names.sendto(query[:2] + b"\x81\x80\x00\x01" + struct.pack(">H", is_a) + bytes(4) + query[12:end] + answer, client)


def connect(port, send_buffer=0, receive_buffer=0):
    connection = socket.socket()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, CONTROL.encode())
    if send_buffer:
        set_send_buffer(connection, send_buffer)
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer // 2)
    connection.connect((SERVER, int(port)))
    return connection


def await_server(_):
    """Asks the name server until it answers, which is when the web server is there: without a TCP connection that a capture would hold."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as names:
        names.settimeout(0.2)
        names.connect(("127.0.0.1", 53))
        while True:
            try:
                names.send(b"\x00\x01\x01\x00\x00\x01" + bytes(6) + b"\x06server\x00\x00\x01\x00\x01")
                return names.recv(512)
            except OSError:
                time.sleep(0.05)


def request(connection, path):
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())


def read(connection, size):
    """Reads a whole answer of so many bytes."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += connection.recv(CHUNK)
    left = size - (len(head) - head.index(b"\r\n\r\n") - 4)
    while left > 0:
        left -= len(connection.recv(min(left, CHUNK)))


def upload(port, size, send_buffer):
    """Writes as much at once as the send buffer is large, as programs do that set one."""
    connection = connect(port, send_buffer=int(send_buffer))
    size, piece = int(size), int(send_buffer) or CHUNK
    connection.sendall(f"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\nConnection: close\r\n\r\n".encode())
    for start in range(0, size, piece):
        connection.sendall(bytes(min(piece, size - start)))
    connection.recv(1000)


def download(port, size, receive_buffer, timeout):
    """Gives up after a time, however much is still to come."""
    connection = connect(port, receive_buffer=int(receive_buffer))
    request(connection, f"/data?size={size}")
    end = time.monotonic() + float(timeout)
    left = int(size)
    while left > 0 and time.monotonic() < end:
        left -= len(connection.recv(CHUNK)) or left  # nothing: the server has closed
    connection.close()


def slow_reader(port, size, rate):
    connection = connect(port, receive_buffer=131072)
    request(connection, f"/data?size={size}")
    left = int(size)
    while left > 0:
        part = connection.recv(16384)
        if not part:
            break
        left -= len(part)
        time.sleep(len(part) / float(rate))


def small_writes(port, count):
    connection = connect(port)
    for _ in range(int(count)):
        connection.sendall(b"GET /data?size=200 HTTP/1.1\r\n")
        connection.sendall(b"Host: x\r\n\r\n")
        read(connection, 200)
        time.sleep(0.02)


def chat(port, count, pause):
    connection = connect(port)
    for _ in range(int(count)):
        request(connection, "/data?size=500")
        read(connection, 500)
        time.sleep(float(pause))


def pages(port, count, size):
    for _ in range(int(count)):
        connection = connect(port)
        request(connection, f"/data?size={size}")
        read(connection, int(size))
        connection.close()
        time.sleep(0.5)


def get(port, path, size, receive_buffer=0):
    connection = connect(port, receive_buffer=int(receive_buffer))
    request(connection, path)
    read(connection, int(size))
    connection.close()


def late_request(port, wait, size):
    connection = connect(port)
    time.sleep(float(wait))
    request(connection, f"/data?size={size}")
    read(connection, int(size))


def small_answers(port, count):
    connection = connect(port)
    for _ in range(int(count)):
        request(connection, "/data?size=300&halves=1")
        read(connection, 300)
        time.sleep(0.02)


def queries(port, count, size):
    """As a program asks a database: one after another, each when the last is answered."""
    connection = connect(port)
    for _ in range(int(count)):
        request(connection, f"/data?size={size}")
        read(connection, int(size))


def two_windows(port, size, *receive_buffers):
    for receive_buffer in receive_buffers:
        get(port, f"/data?size={size}", size, receive_buffer)


def put_in_parts(port, count, size, every):
    """One upload, of which a part is ready at a time."""
    connection = connect(port)
    connection.sendall(f"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: {int(count) * int(size)}\r\n\r\n".encode())
    for _ in range(int(count)):
        connection.sendall(bytes(int(size)))
        time.sleep(float(every))
    connection.recv(1000)


def together(*programs):
    threads = [threading.Thread(target=program, args=arguments) for program, *arguments in programs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def cancel(port, size, after):
    """Has enough after a time, as somebody who leaves a page: closes with data unread."""
    connection = connect(port)
    request(connection, f"/data?size={size}")
    end = time.monotonic() + float(after)
    while time.monotonic() < end:
        connection.recv(CHUNK)
    time.sleep(0.05)
    connection.close()


def parallel(port, count, size):
    together(*[(get, port, f"/data?size={size}", size)] * int(count))


def both_ways(port, down, up):
    together((get, port, f"/data?size={down}", down), (upload, port, up, 0))


def chat_beside_upload(port, up, count, pause):
    together((upload, port, up, 0), (chat, port, count, pause))


def by_name(port, name, size):
    socket.getaddrinfo(name, port, socket.AF_INET)
    get(port, f"/data?size={size}", size)


def refused(port, times):
    for _ in range(int(times)):
        try:
            connect(int(port) + 7)
        except ConnectionRefusedError:
            time.sleep(0.5)


def get_through_outage(port, size, after, seconds):
    """The machine between both ends passes nothing for some time."""
    threading.Thread(target=box_outage, args=(float(after), float(seconds)), daemon=True).start()
    get(port, f"/data?size={size}", size)


def box_outage(after, seconds):
    time.sleep(after)
    for change in ("-I", "-D"):
        subprocess.run(["ip", "netns", "exec", "box", "iptables", change, "FORWARD", "-j", "DROP"], check=True)
        time.sleep(seconds)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
