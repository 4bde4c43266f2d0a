using System;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using TcpDiag.Store;

namespace TcpDiag.Cli.Store;

/// <summary>
/// Serves one text over HTTP, read-only: <c>GET /metrics</c>. One request a connection, one after the other; a request of more than a few kilobytes, or one
/// that does
/// not come, ends the connection.
/// </summary>
sealed class MetricsServer : IDisposable
{
    const int MaxRequestBytes = 8192;
    const int MaxMilliseconds = 5000;

    readonly TcpListener _listener;
    readonly Func<string> _text;

    MetricsServer(TcpListener listener, Func<string> text) => (_listener, _text) = (listener, text);

    /// <summary>Where it listens.</summary>
    public IPEndPoint Endpoint => (IPEndPoint)_listener.LocalEndpoint;

    /// <summary>Reads <c>HOST:PORT</c>, or a port of this machine alone.</summary>
    /// <returns>Null where it is neither.</returns>
    public static IPEndPoint? EndpointOf(string text) =>
        ushort.TryParse(text, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out ushort port)
            ? new(IPAddress.Loopback, port)
            : text.Contains(':', StringComparison.Ordinal) && IPEndPoint.TryParse(text, out IPEndPoint? given) && !text.EndsWith(']') ? given : null;

    /// <summary>Begins to serve.</summary>
    /// <exception cref="StoreException">The port is taken, or not this machine's.</exception>
    public static MetricsServer Start(IPEndPoint endpoint, Func<string> text)
    {
        var listener = new TcpListener(endpoint);
        try
        {
            listener.Start();
        }
        catch (SocketException exception)
        {
            listener.Dispose();
            throw new StoreException($"--metrics {endpoint}: cannot listen there: {exception.Message}", exception);
        }

        var server = new MetricsServer(listener, text);
        new Thread(server.Serve) { IsBackground = true }.Start();
        return server;
    }

    /// <inheritdoc/>
    public void Dispose() => _listener.Dispose();

    void Serve()
    {
        while (true)
        {
            try
            {
                using TcpClient client = _listener.AcceptTcpClient();
                (client.ReceiveTimeout, client.SendTimeout) = (MaxMilliseconds, MaxMilliseconds);
                Answer(client.GetStream());
            }
            catch (IOException)
            {
                // Who asked has gone, or says nothing.
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException or InvalidOperationException)
            {
                return; // closed
            }
        }
    }

    void Answer(NetworkStream stream)
    {
        string request = ReadHead(stream);
        bool isKnown = request.StartsWith("GET /metrics ", StringComparison.Ordinal);
        string body = isKnown ? _text() : "tcpdiag ingest: GET /metrics\n";
        string head = $"HTTP/1.1 {(isKnown ? "200 OK" : "404 Not Found")}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
            + FormattableString.Invariant($"Content-Length: {Encoding.UTF8.GetByteCount(body)}\r\nConnection: close\r\n\r\n");
        stream.Write(Encoding.UTF8.GetBytes(head + body));
    }

    // To the empty line that ends the head; what comes slowly has no more time than what does not come.
    static string ReadHead(NetworkStream stream)
    {
        byte[] bytes = new byte[MaxRequestBytes];
        long end = Environment.TickCount64 + MaxMilliseconds;
        int length = 0;
        while (length < bytes.Length && Environment.TickCount64 < end && bytes.AsSpan(0, length).IndexOf("\r\n\r\n"u8) < 0)
        {
            int count = stream.Read(bytes, length, bytes.Length - length);
            if (count == 0)
            {
                break;
            }

            length += count;
        }

        return Encoding.ASCII.GetString(bytes, 0, length);
    }
}
