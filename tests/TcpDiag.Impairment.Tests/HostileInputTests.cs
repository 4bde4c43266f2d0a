using System;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Testing;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Impairment.Tests;

/// <summary>Damaged profiles, matches and logs: whatever is in them, only the exceptions made for it escape.</summary>
public class HostileInputTests
{
    const int Inputs = 3_000;

    static int CountRefused<T>(byte[] good, Action<byte[]> read)
        where T : Exception
    {
        Mutator mutator = new(7);
        int refused = 0;
        for (int i = 0; i < Inputs; i++)
        {
            try
            {
                read(mutator.Mutate(good));
            }
            catch (T)
            {
                refused++;
            }
        }

        return refused;
    }

    [Fact]
    public void Profiles_Damaged_AreReadOrRefused()
    {
        foreach (string preset in ImpairmentPresets.Names)
        {
            byte[] good = Encoding.UTF8.GetBytes(ImpairmentPresets.FindText(preset)!);
            Assert.InRange(CountRefused<ImpairmentException>(good, input => ProfileReader.Read("p.yaml", Encoding.UTF8.GetString(input))), 1, Inputs);
        }
    }

    [Theory]
    [InlineData("[")]
    [InlineData("{a: ")]
    [InlineData("- ")]
    [InlineData("? ")]
    [InlineData("&a ")]
    [InlineData("!!x ")]
    [InlineData("a: *")]
    public void Profile_DeeplyNested_IsRefused(string open) => Assert.Throws<ImpairmentException>(
        () => ProfileReader.Read("p.yaml", string.Concat(Enumerable.Repeat(open, ProfileReader.MaxCharacters / open.Length))));

    [Fact]
    public void Matches_Damaged_AreReadOrRefused()
    {
        byte[] good = Encoding.UTF8.GetBytes("(tcp or udp) dst port 8000-8099 out and not host 2001:db8::/32 and process curl");
        Assert.InRange(CountRefused<MatchException>(good, input => MatchParser.Parse(Encoding.UTF8.GetString(input))), 1, Inputs);
    }

    [Fact]
    public void Logs_Damaged_AreReadOrRefused()
    {
        VirtualLink link = new("delay 1ms", "loss 10pct", "duplicate 10pct");
        for (int i = 0; i < 50; i++)
        {
            link.Offer(i * VirtualLink.Ms);
        }

        Assert.InRange(CountRefused<DecisionLogException>(link.Drain().Log(), ReadLog), 1, Inputs);
    }

    [Fact]
    public void Packets_Damaged_AreLookedAtOrNot()
    {
        byte[] good = Convert.FromHexString(
            "6020000000202c40" + "20010db8000000000000000000000001" + "20010db8000000000000000000000002"
            + "0600000000000001123401bb0000000100000002501001000000000061626364");
        int seen = 0;
        CountRefused<ImpairmentException>(good, input =>
        {
            if (PacketView.TryRead(input, out PacketView view))
            {
                view.FlipBit(view.HashFlow());
                view.MarkCongestionExperienced();
                seen++;
            }
        });

        Assert.InRange(seen, 1, Inputs);
    }

    static void ReadLog(byte[] log)
    {
        DecisionLogReader reader = new(new MemoryStream(log));
        while (reader.TryRead(out _))
        {
        }
    }
}
