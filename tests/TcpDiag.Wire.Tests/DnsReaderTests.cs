using System;
using System.Linq;
using System.Text;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wire.Tests;

public sealed class DnsReaderTests
{
    // Id 1234, response without error, one question, two answers: www.example.org is an alias of a name at offset 0x10
    // (example.org), which has the address 192.0.2.1.
    const string Response =
        "1234" + "8180" + "0001" + "0002" + "0000" + "0000" +
        "03777777" + "076578616D706C65" + "036F726700" + "0001" + "0001" +
        "C00C" + "0005" + "0001" + "0000003C" + "0002" + "C010" +
        "C010" + "0001" + "0001" + "0000003C" + "0004" + "C0000201";

    [Fact]
    public void Read_ResponseWithAlias_GivesNamesAndAddress()
    {
        char[] name = new char[DnsReader.MaxNameLength];
        Assert.True(DnsReader.TryCreate(Convert.FromHexString(Response), out DnsReader reader));
        Assert.Equal(0x1234, reader.Id);
        Assert.True(reader.IsResponse);
        Assert.Equal(0, reader.ResponseCode);
        Assert.True(reader.TryReadQuestion(name, out DnsQuestion question));
        Assert.Equal("www.example.org", new string(name, 0, question.NameLength));
        Assert.Equal(DnsRecordType.A, question.Type);
        Assert.False(reader.TryReadQuestion(name, out _));
        Assert.True(reader.TryReadRecord(name, out DnsRecord alias));
        Assert.Equal(DnsRecordType.CName, alias.Type);
        Assert.False(alias.TryGetAddress(out _));
        Assert.True(reader.TryReadRecord(name, out DnsRecord record));
        Assert.Equal("example.org", new string(name, 0, record.NameLength));
        Assert.Equal(60u, record.TimeToLiveSeconds);
        Assert.True(record.TryGetAddress(out IpAddress address));
        Assert.Equal("192.0.2.1", address.ToString());
        Assert.False(reader.TryReadRecord(name, out _));
    }

    // RFC 1002 §4.2.13: a positive name query response. "FILESRV" padded to 15, suffix 20; each byte as two letters.
    [Fact]
    public void Read_NetBiosResponse_GivesTheNameAndAddress()
    {
        string encoded = string.Concat(Encoding.ASCII.GetBytes("FILESRV         ").Select(b => $"{(char)('A' + (b >> 4))}{(char)('A' + (b & 15))}"));
        byte[] message =
        [
            .. Convert.FromHexString("0001" + "8500" + "0000" + "0001" + "0000" + "0000" + "20"),
            .. Encoding.ASCII.GetBytes(encoded),
            .. Convert.FromHexString("00" + "0020" + "0001" + "00000000" + "0006" + "0000" + "C0000207"),
        ];
        char[] name = new char[DnsReader.MaxNameLength];
        Assert.True(DnsReader.TryCreate(message, out DnsReader reader));
        Assert.True(reader.TryReadRecord(name, out DnsRecord record));
        Assert.Equal("FILESRV", new string(name, 0, record.NameLength));
        Assert.True(record.TryGetAddress(out IpAddress address));
        Assert.Equal("192.0.2.7", address.ToString());
    }

    [Theory]
    [InlineData("C00C")] // points at itself
    [InlineData("C00E" + "C00C")] // forwards
    [InlineData("0161" + "C00C")] // a label, then back to it
    [InlineData("8001")] // a label kind that does not exist
    [InlineData("3F41")] // longer than the message
    public void TryReadQuestion_HostileName_IsFalse(string name)
    {
        byte[] message = Convert.FromHexString("0000" + "0000" + "0001" + "0000" + "0000" + "0000" + name + "00010001");
        Assert.True(DnsReader.TryCreate(message, out DnsReader reader));
        Assert.False(reader.TryReadQuestion(new char[DnsReader.MaxNameLength], out _));
    }

    [Fact]
    public void TryReadQuestion_NameOfTooManyOctets_IsFalse()
    {
        byte[] label = [63, .. Enumerable.Repeat((byte)'a', 63)];
        byte[] message = [.. Convert.FromHexString("0000" + "0000" + "0001" + "0000" + "0000" + "0000"), .. label, .. label, .. label, .. label, 0, 0, 1, 0, 1];
        Assert.True(DnsReader.TryCreate(message, out DnsReader reader));
        Assert.False(reader.TryReadQuestion(new char[DnsReader.MaxNameLength], out _));
    }

    [Fact]
    public void Read_MutatedMessages_EndsAlways()
    {
        var mutator = new Mutator(7);
        byte[] seed = Convert.FromHexString(Response);
        char[] name = new char[DnsReader.MaxNameLength];
        int records = 0;
        for (int i = 0; i < 20_000; i++)
        {
            if (!DnsReader.TryCreate(mutator.Mutate(seed), out DnsReader reader))
            {
                continue;
            }

            while (reader.TryReadQuestion(name, out _))
            {
            }

            while (reader.TryReadRecord(name, out _))
            {
                records++;
            }
        }

        Assert.True(records > 1000);
    }
}
