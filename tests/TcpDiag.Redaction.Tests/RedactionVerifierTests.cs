using System;
using System.IO;
using System.Text;
using System.Threading;
using TcpDiag.Redaction.Verification;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Tests.Pcapng;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Redaction.Tests;

public sealed class RedactionVerifierTests : IDisposable
{
    readonly Pseudonyms _names = new(TestKeys.First);
    readonly string _path = Path.GetTempFileName();

    public RedactionVerifierTests()
    {
        // What a redaction has met.
        _names.ReplaceText("Rumpelstilz");
        _names.ReplaceText("Bobby");
        _names.Map(Address("198.51.100.7"));
        _names.Map(Address("2001:db8:1234:5678:9abc:def0:1357:2468"));
        _names.ReplaceMac([0x02, 0x50, 0x56, 0x9A, 0xBC, 0xDE]);
        _names.ReplaceText("S-1-5-21-67305985-134678021-202050057-1001 at 192.0.2.* with 01234567-89ab-cdef-0123-456789abcdef, USB\\VID_1&PID_2\\112233445566");
    }

    public void Dispose()
    {
        _names.Dispose();
        File.Delete(_path);
    }

    public static TheoryData<string, byte[]> Leaks => new()
    {
        { "8-bit text", "xRUMPELSTILZx"u8.ToArray() },
        { "16-bit text, odd", [9, .. Encoding.Unicode.GetBytes("rumpelstilz")] },
        { "short word", " bobby "u8.ToArray() },
        { "short wide word", [0, .. Encoding.Unicode.GetBytes("-Bobby-")] },
        { "address as text", "198.51.100.7"u8.ToArray() },
        { "address with a port", "<198.51.100.7:80>"u8.ToArray() },
        { "IPv6 as text", "[2001:db8:1234:5678:9abc:def0:1357:2468]"u8.ToArray() },
        { "MAC in a number", "010250569abcde"u8.ToArray() },
        { "MAC as text", "02-50-56-9a-bc-de"u8.ToArray() },
        { "address turned round", "7.100.51.198.in-addr.arpa"u8.ToArray() },
        { "IPv4 as a number", "c6336407"u8.ToArray() },
        { "network", " 192.0.2.* "u8.ToArray() },
        { "network with its length", Encoding.Unicode.GetBytes("192.0.2.0/24") },
        { "security id", Encoding.Unicode.GetBytes("s-1-5-21-67305985-134678021-202050057-1001") },
        { "its domain", "S-1-5-21-67305985-134678021-202050057-500"u8.ToArray() },
        { "its bytes", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xE9, 3, 0, 0] },
        { "GUID", "{01234567-89AB-CDEF-0123-456789ABCDEF}"u8.ToArray() },
        { "its bytes", [0x67, 0x45, 0x23, 1, 0xAB, 0x89, 0xEF, 0xCD, 1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF] },
        { "serial number", "_112233445566_"u8.ToArray() },
        { "IPv6", [0x20, 1, 0x0D, 0xB8, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0x13, 0x57, 0x24, 0x68] },
        { "IPv6 backwards", [0x68, 0x24, 0x57, 0x13, 0xF0, 0xDE, 0xBC, 0x9A, 0x78, 0x56, 0x34, 0x12, 0xB8, 0x0D, 1, 0x20] },
        { "MAC", [2, 0x50, 0x56, 0x9A, 0xBC, 0xDE] },
        { "IPv4 in a short file", [198, 51, 100, 7] },
        { "IPv4 backwards", [7, 100, 51, 198] },
    };

    // Pseudonyms may begin as an original does.
    [Theory]
    [InlineData("198.51.100.71")]
    [InlineData("1198.51.100.7")]
    [InlineData("a2001:db8:1234:5678:9abc:def0:1357:2468")]
    [InlineData("2001:db8:1234:5678:9abc:def0:1357:24689")]
    public void Verify_LongerAddress_IsAnother(string text)
    {
        var bytes = new PcapngBytes(bigEndian: false);
        File.WriteAllBytes(_path, bytes.Section().Block(0x1234, [1, 2, 3, .. Encoding.ASCII.GetBytes(text), 4, 5, 6]).ToArray());
        Assert.True(Verify().HasPassed);
    }

    [Theory]
    [MemberData(nameof(Leaks))]
    public void Verify_ValueInAnUnreadBlock_IsFound(string what, byte[] leak)
    {
        var bytes = new PcapngBytes(bigEndian: false);
        File.WriteAllBytes(_path, bytes.Section().Block(0x1234, [1, 2, 3, .. leak, 4, 5, 6]).ToArray());
        Assert.False(Verify().HasPassed, what);
    }

    [Fact]
    public void Verify_AddressOfAPacket_IsFoundHoweverLongTheFile()
    {
        byte[] frame = new FrameBuilder().Ip("198.51.100.7", "10.0.0.1").Tcp(1, 2).Build();
        var bytes = new PcapngBytes(bigEndian: false);
        bytes.Section().Interface(1, 0).Packet(0, 1, frame, (uint)frame.Length);
        for (int i = 0; i < 600; i++)
        {
            bytes.Block(0x1234, new byte[4096]);
        }

        File.WriteAllBytes(_path, bytes.ToArray());
        RedactionLeak leak = Assert.Single(Verify().Leaks);
        Assert.Equal((RedactionKind.Ipv4Addresses, "packets and events", 1), (leak.Kind, leak.Source, leak.Count));
    }

    // Of what was replaced, not of what stands in its place.
    [Theory]
    [InlineData("198.51.*", "ipv4")]
    [InlineData("2001:db8:1234:*", "ipv6")]
    [InlineData("100.51.198.in-addr.arpa", "ipv4")]
    [InlineData("198.51.100.0/24", "ipv4")]
    [InlineData("S-1-5-21-67305985-134678021-202050057-1001", "sid")]
    [InlineData("01234567-89ab-cdef-0123-456789abcdef", "guid")]
    public void Verify_IdentifierInAComment_IsRead(string text, string kind)
    {
        var bytes = new PcapngBytes(bigEndian: false);
        bytes.Section(bytes.Option(1, Encoding.UTF8.GetBytes(text)));
        File.WriteAllBytes(_path, bytes.ToArray());
        RedactionKind expected = kind switch
        {
            "ipv4" => RedactionKind.Ipv4Addresses,
            "ipv6" => RedactionKind.Ipv6Addresses,
            "sid" => RedactionKind.SecurityIds,
            _ => RedactionKind.Guids,
        };
        Assert.Contains(Verify().Leaks, leak => leak.Kind == expected && leak.FirstOffset is null);
    }

    [Fact]
    public void Verify_ValueAcrossTwoPieces_IsFound()
    {
        var bytes = new PcapngBytes(bigEndian: false);
        byte[] block = new byte[2 << 20];
        "Rumpelstilz"u8.CopyTo(block.AsSpan((1 << 20) - 40));
        File.WriteAllBytes(_path, bytes.Section().Block(0x1234, block).ToArray());
        Assert.Equal(1, Assert.Single(Verify().Leaks).Count);
    }

    [Fact]
    public void Verify_RedactedBundle_IsClean()
    {
        byte[] frame = new FrameBuilder().Ip("203.0.113.9", "198.51.100.7").Tcp(1, 2).Payload("password"u8.ToArray()).Build();
        var trace = new PcapngBytes(bigEndian: false);
        trace.Section().Interface(1, 0, trace.Option(2, "enp3s0f1"u8.ToArray())).Packet(0, 1, frame, (uint)frame.Length);
        string bundle = Path.GetTempFileName();
        try
        {
            using (var writer = new BundleWriter(File.Create(bundle)))
            {
                writer.Add("trace.pcapng", BundleManifest.TraceKind, new MemoryStream(trace.ToArray()));
                writer.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream("""
                    {"schema":"tcpdiag/snapshot/1","takenUtc":"2026-01-01T00:00:00Z","operatingSystem":"Linux","sections":[
                    {"name":"interfaces","source":"ioctl","milliseconds":1,"problem":null,"facts":[
                    {"subject":"enp3s0f1","name":"conf.enp3s0f1.mtu","value":"1500 at 203.0.113.9"}]}]}
                    """u8.ToArray()));
                writer.Add("journal.jsonl", BundleManifest.JournalKind, new MemoryStream("""
                    {"utc":"2026-01-01T00:00:00Z","step":"starting","detail":"netsh trace start D:\\Homes\\Rumpelstilz"}
                    no json

                    """u8.ToArray()));
                writer.Complete(BundleWriter.Describe("linux", "host 203.0.113.9", "stopped", ["on Rumpelstilz"], DateTimeOffset.UnixEpoch));
            }

            using (FileStream output = File.Create(_path))
            {
                Assert.Empty(TraceRedactor.Redact(_names, bundle, output, CancellationToken.None));
            }

            RedactionVerification verification = Verify();
            Assert.Empty(verification.Leaks);
            string snapshot = Encoding.UTF8.GetString(TraceBundle.Read(_path, BundleManifest.SnapshotKind)!);
            string name = _names.ReplaceText("enp3s0f1");
            Assert.Contains($"\"name\": \"conf.{name}.mtu\"", snapshot, StringComparison.Ordinal);
            Assert.Contains($"1500 at {_names.Map(Address("203.0.113.9"))}", snapshot, StringComparison.Ordinal);
            Assert.Contains(TraceBundle.ReadManifest(_path)!.Remarks, remark => remark.StartsWith("Redacted", StringComparison.Ordinal));
        }
        finally
        {
            File.Delete(bundle);
        }
    }

    static IpAddress Address(string text) => IpAddress.TryParse(text, out IpAddress address) ? address : throw new FormatException(text);

    RedactionVerification Verify() => RedactionVerifier.Verify(_names, _path, CancellationToken.None);
}
