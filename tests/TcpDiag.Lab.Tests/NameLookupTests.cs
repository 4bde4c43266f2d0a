using System;
using TcpDiag.Lab.Flows;
using Xunit;

namespace TcpDiag.Lab.Tests;

public sealed class NameLookupTests
{
    [Fact]
    public void Encode_Address_IsTheQueryTsharkReads() =>
        // RFC 1002 §4.2.12: header, the name "10.201.1.2" filled up with blanks and the service 0 in half bytes from 'A', type NB, class IN.
        Assert.Equal(
            "0001" + "0110" + "0001" + "0000" + "0000" + "0000"
            + "20" + Convert.ToHexString("DBDACODCDADBCODBCODCCACACACACAAA"u8) + "00" + "0020" + "0001",
            Convert.ToHexString(NameLookup.Encode(1, "10.201.1.2")));
}
