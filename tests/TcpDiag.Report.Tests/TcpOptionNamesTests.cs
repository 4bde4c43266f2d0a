using System;
using System.Linq;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class TcpOptionNamesTests
{
    [Fact]
    public void Of_SeveralKinds_NamesEachInOrder() =>
        Assert.Equal(
            ["mss", "timestamps", "accurateEcn"],
            TcpOptionNames.Of(TcpOptionKinds.AccurateEcn | TcpOptionKinds.Timestamps | TcpOptionKinds.MaximumSegmentSize));

    // SACK blocks never stand in a SYN; every other kind the parser knows has a name.
    [Fact]
    public void Of_EveryKind_HasAName()
    {
        foreach (TcpOptionKinds kind in Enum.GetValues<TcpOptionKinds>().Except([TcpOptionKinds.None, TcpOptionKinds.Sack]))
        {
            Assert.Single(TcpOptionNames.Of(kind));
        }
    }
}
