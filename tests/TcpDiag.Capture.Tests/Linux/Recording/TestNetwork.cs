using System;
using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using TcpDiag.Platform.Linux;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>
/// Two network namespaces joined by a veth pair, with names and addresses of their own in every run: tracepoints know no
/// namespaces, so tests at the same time must not share an address.
/// </summary>
sealed class TestNetwork : IDisposable
{
    static int _networks;

    readonly string _tag;

    public TestNetwork()
    {
        // 10.64.0.0/10 in networks of four addresses: 2²⁰ of them, spread by process.
        uint number = (uint)((Environment.ProcessId * 16) + Interlocked.Increment(ref _networks)) & 0xFFFFF;
        uint address = 0x0A400000 | (number << 2);
        _tag = number.ToString("x", CultureInfo.InvariantCulture);
        ClientAddress = ToAddress(address + 1);
        ServerAddress = ToAddress(address + 2);
        Ip("netns", "add", Client);
        Ip("netns", "add", Server);
        Ip("link", "add", ClientInterface, "netns", Client, "type", "veth", "peer", "name", ServerInterface, "netns", Server);
        SetUp(Client, ClientInterface, ClientAddress);
        SetUp(Server, ServerInterface, ServerAddress);
    }

    public string Client => $"tdc{_tag}";

    public string Server => $"tds{_tag}";

    public string ClientInterface => $"vc{_tag}";

    public string ServerInterface => $"vs{_tag}";

    public IPAddress ClientAddress { get; }

    public IPAddress ServerAddress { get; }

    /// <summary>Sends bytes over new connections, one after the other, and waits until each is closed on both sides.</summary>
    public static void Transfer(Socket listener, Func<Socket> connect, int connections, int bytes)
    {
        byte[] data = new byte[bytes];
        byte[] received = new byte[bytes];
        for (int i = 0; i < connections; i++)
        {
            using Socket client = connect();
            using Socket server = listener.Accept();
            var sender = new Thread(() =>
            {
                client.Send(data);
                client.Shutdown(SocketShutdown.Send);
            });
            sender.Start();
            while (server.Receive(received) > 0)
            {
            }

            sender.Join();
            server.Close();
            Assert(client.Receive(received) == 0);
        }
    }

    public Socket Listen() => NetworkNamespace.Run(Server, () =>
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(ServerAddress, 0));
        socket.Listen();
        return socket;
    });

    public Socket Connect(int port) => NetworkNamespace.Run(Client, () =>
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(ServerAddress, port);
        return socket;
    });

    public void Dispose()
    {
        Ip("netns", "del", Client);
        Ip("netns", "del", Server);
    }

    static void Assert(bool holds) => Xunit.Assert.True(holds, "the connection must end with its last byte");

    static IPAddress ToAddress(uint number) => new(BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(number) : number);

    static void SetUp(string name, string link, IPAddress address)
    {
        Ip("-n", name, "addr", "add", $"{address}/30", "dev", link);
        Ip("-n", name, "link", "set", link, "up");
        Ip("-n", name, "link", "set", "lo", "up");
    }

    static void Ip(params string[] arguments) => ExternalProgram.Run("ip", arguments);
}

/// <summary>tcpdump beside a recording; ended with SIGINT so that its file is whole.</summary>
sealed class Tcpdump : IDisposable
{
    // All that a test sends: on a busy machine it would lose packets of its own otherwise.
    const string BufferKilobytes = "65536";

    readonly Process _process;

    public Tcpdump(string networkNamespace, string link, int port)
    {
        File = Path.GetTempFileName();
        string[] arguments =
        [
            "netns", "exec", networkNamespace, ExternalProgram.Find("tcpdump")!, "-i", link, "--immediate-mode", "-U", "-B", BufferKilobytes, "-s", "120",
                "-Z", "root",
            "-w", File, "tcp", "port", port.ToString(CultureInfo.InvariantCulture),
        ];
        _process = Process.Start(new ProcessStartInfo(ExternalProgram.Find("ip")!, arguments) { UseShellExecute = false, RedirectStandardError = true })!;

        // "tcpdump: listening on …" comes once its filter is in place.
        while (_process.StandardError.ReadLine() is { } line && !line.Contains("listening on", StringComparison.Ordinal))
        {
        }
    }

    public string File { get; }

    /// <summary>Ends it once it has written what there was: at SIGINT it leaves what it has not read.</summary>
    /// <param name="packets">How many packets there must have been; waited for no longer than the caller would believe.</param>
    public void Stop(long packets)
    {
        SpinWait.SpinUntil(() => TraceInspector.Inspect(File).Packets >= packets, Patience.Limit);
        ExternalProgram.Run("kill", "-INT", _process.Id.ToString(CultureInfo.InvariantCulture));
        _process.WaitForExit();
    }

    public void Dispose()
    {
        _process.Kill();
        _process.Dispose();
        System.IO.File.Delete(File);
    }
}
