using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor.Probes;

/// <summary>
/// Asks each name server that the machine is set to for the address of the host, or for the servers of the root, which every resolver knows and which tells
/// nobody anything.
/// </summary>
static class NameServers
{
    const int DnsPort = 53;
    const int HeaderBytes = 12;
    const int MaxAnswer = 4096;
    const ushort RecursionDesired = 0x0100;
    const ushort TypeA = 1;
    const ushort TypeNs = 2;
    const ushort ClassInternet = 1;
    const int NoSuchName = 3;

    // As long as resolvers of systems wait before they ask again, or the next server (5 s in glibc, 1 to 2 s in Windows), but shortened: two are enough to see.
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    // A page asks for tens of names, partly one after the other.
    static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(200);

    static readonly IdnMapping Idn = new();

    // RCODE, RFC 1035 §4.1.1.
    static readonly Message[] Refusals = ["", "did not understand the question", "failed", "knows no such name", "cannot do that", "refused"];

    public static IEnumerable<Check> Check(string? host)
    {
        IPAddress[] servers = [.. Servers().Distinct()];
        string? name = host is null || IPAddress.TryParse(host, out _) ? null : host;
        return servers.Length == 0
            ? [new(CheckIds.Names, CheckResult.Note, "no name server is set: names are found in files only, if at all")]
            : Task.WhenAll(servers.Select(server => Task.Run(() => Ask(server, DnsPort, name)))).Result;
    }

    /// <summary>Asks one server.</summary>
    /// <param name="server">Its address.</param>
    /// <param name="port">Its UDP port.</param>
    /// <param name="name">Whose address; null for the root's servers.</param>
    internal static Check Ask(IPAddress server, int port, string? name)
    {
        byte[] question = Question(name);
        using var socket = new Socket(server.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = (int)(Patience.TotalMilliseconds / 2) };
        for (int attempt = 0; attempt < 2; attempt++)
        {
            long begun = Stopwatch.GetTimestamp();
            try
            {
                socket.Connect(server, port);
                socket.Send(question);
                byte[] answer = new byte[MaxAnswer];
                int length = socket.Receive(answer);
                if (length >= HeaderBytes && answer[0] == question[0] && answer[1] == question[1])
                {
                    return Judge(server, name, answer[3] & 0xF, Stopwatch.GetElapsedTime(begun));
                }
            }
            catch (SocketException exception) when (exception.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
            {
                // Once more: a single packet may get lost.
            }
            catch (SocketException exception)
            {
                return exception.SocketErrorCode is SocketError.ConnectionRefused
                    ? Gone(server, "nothing listens there")
                    : Gone(server, $"the system says: {exception.Message}");
            }
        }

        return Gone(server, $"no answer within {Patience.TotalSeconds} s");
    }

    static Check Gone(IPAddress server, Message why) => new(CheckIds.Names, CheckResult.Problem, $"name server {server}: {why}")
    {
        Remedy = new(
            "Programs wait for it before they ask the next one. Remove it from the name servers, or have it mended.",
            OperatingSystem.IsWindows() ? "Get-DnsClientServerAddress" : "cat /etc/resolv.conf",
            Undo: null,
            Doer.Administrator),
        BearsOn = [FindingIds.NameLookupDelay],
    };

    static Check Judge(IPAddress server, string? name, int code, TimeSpan time)
    {
        if (code is not 0 && (name is not null || code is not NoSuchName))
        {
            Message refusal = code < Refusals.Length ? Refusals[code] : $"answers with error {code}";
            return new(CheckIds.Names, CheckResult.Problem, name is null
                ? (Message)$"name server {server}: {refusal} after {time.TotalMilliseconds:0} ms"
                : $"name server {server}: {refusal} ({name}) after {time.TotalMilliseconds:0} ms")
            {
                Remedy = new("Check the spelling of the name; else whoever runs the name server can say why.", null, null, Doer.Network),
                BearsOn = [FindingIds.NameLookupDelay],
            };
        }

        return time > Slow
            ? new(CheckIds.Names, CheckResult.Note,
            $"name server {server} answers in {time.TotalMilliseconds:0} ms, which is slow")
            { BearsOn = [FindingIds.NameLookupDelay] }
            : new(CheckIds.Names, CheckResult.Fine, $"name server {server} answers in {time.TotalMilliseconds:0} ms");
    }

    static IEnumerable<IPAddress> Servers() => NetworkInterface.GetAllNetworkInterfaces()
        .Where(link => link.OperationalStatus is OperationalStatus.Up or OperationalStatus.Unknown)
        .SelectMany(link => link.GetIPProperties().DnsAddresses)
        .Where(address => !address.IsIPv6SiteLocal); // the three that Windows lists where IPv6 has no name server: nothing is there

    /// <summary>
    /// A question: header, name as labels, type, class (RFC 1035 §4.1). Letters beyond ASCII are asked for in their form of ASCII letters (punycode, RFC 5891).
    /// </summary>
    /// <param name="name">The name; null for the root.</param>
    /// <exception cref="FormatException">No name of the DNS can look like that: a label is empty or longer than 63 octets, or all is longer than 255
    /// (§2.3.4).</exception>
    internal static byte[] Question(string? name)
    {
        string ascii = name is null ? string.Empty : Ascii(name);
        byte[] bytes = new byte[HeaderBytes + 2 + ascii.Length + 4];
        BinaryPrimitives.WriteUInt16BigEndian(bytes, (ushort)(Stopwatch.GetTimestamp() >> 4));
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(2), RecursionDesired);
        bytes[5] = 1;
        int at = HeaderBytes;
        foreach (string label in ascii.Split('.', StringSplitOptions.RemoveEmptyEntries))
        {
            bytes[at++] = (byte)label.Length;
            at += Encoding.ASCII.GetBytes(label, bytes.AsSpan(at));
        }

        at++; // the root
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(at), name is null ? TypeNs : TypeA);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(at + 2), ClassInternet);
        return bytes[..(at + 4)];
    }

    // The name without the dot of the root, which may stand at its end.
    static string Ascii(string name)
    {
        const int MaxLabel = 63;
        const int MaxText = 253; // 255 octets less the length of the first label and that of the root
        string bare = name.EndsWith('.') ? name[..^1] : name;
        try
        {
            string ascii = System.Text.Ascii.IsValid(bare) ? bare : Idn.GetAscii(bare);
            if (ascii.Length <= MaxText && Array.TrueForAll(ascii.Split('.'), label => label.Length is > 0 and <= MaxLabel))
            {
                return ascii;
            }
        }
        catch (ArgumentException)
        {
            // Letters that no name may have, or too many.
        }

        throw new FormatException($"{name} cannot be a name: its parts have 1 to 63 letters, all of it 253 at most");
    }
}
