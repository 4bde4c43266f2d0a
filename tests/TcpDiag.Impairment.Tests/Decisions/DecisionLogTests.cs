using System;
using System.Collections.Generic;
using System.IO;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Impairment.Tests.Decisions;

public class DecisionLogTests
{
    static readonly DecisionLogHeader Header = new(new TraceTime(0x0102030405060708), 7, 1_000_000, "rate: 1mbit\n");

    static readonly ImpairmentDecision Sample = new(
        new TraceTime(0x1122334455667788), 0x0000_0A0B_0C0D_0E0F, 0xCAFEBABE, 1500, LinkDirection.In, 1,
        ImpairmentAction.ReorderAdd, 0x0000_0102_0304_0506, -2);

    static byte[] Write(params ImpairmentDecision[] decisions)
    {
        using MemoryStream stream = new();
        DecisionLogWriter writer = new(stream, Header);
        foreach (ImpairmentDecision decision in decisions)
        {
            writer.Record(in decision);
        }

        writer.Complete(new TraceTime(9), new RunLosses(3, 4, 5));
        return stream.ToArray();
    }

    static List<ImpairmentDecision> Read(byte[] log, out DecisionLogReader reader)
    {
        reader = new DecisionLogReader(new MemoryStream(log));
        List<ImpairmentDecision> decisions = [];
        while (reader.TryRead(out ImpairmentDecision decision))
        {
            decisions.Add(decision);
        }

        return decisions;
    }

    [Fact]
    public void Write_OneRecord_HasTheBytesOfTheFormatPage()
    {
        string expected =
            "5444494d50414952" + "0100" + "2000" + "0c000000" + "0807060504030201" + "0700000000000000" + "40420f0000000000" // header
            + "726174653a20316d6269740a" // rate: 1mbit
            + "8877665544332211" + "0f0e0d0c0b0a" + "dc05" + "bebafeca" + "feffffff" + "060504030201" + "0b" + "03"
            + "0900000000000000" + "030000000000" + "0000" + "0400000000000000" + "050000000000" + "ff" + "00";

        Assert.Equal(expected, Convert.ToHexStringLower(Write(Sample)));
    }

    [Fact]
    public void Read_WhatWasWritten_IsTheSame()
    {
        Assert.Equal([Sample, Sample with { Segment = 0 }], Read(Write(Sample, Sample with { Segment = 0 }), out DecisionLogReader reader));
        Assert.Equal(Header, reader.Header);
        Assert.True(reader.IsComplete);
        Assert.Equal(new RunLosses(3, 4, 5), reader.Losses);
    }

    [Fact]
    public void Property_RoundTrip() => Prop.ForAll<long, uint, int>((time, flow, error) =>
    {
        ImpairmentDecision decision = new(
            new TraceTime(time), flow, flow, (int)(flow % 65536), (LinkDirection)(flow & 1), (int)((flow >> 1) & 1),
            (ImpairmentAction)(1 + (flow % 14)), Math.Abs((long)error), error);
        return Read(Write(decision), out _)[0] == decision;
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Read_ManyRecords_PassesTheBuffer()
    {
        ImpairmentDecision[] many = new ImpairmentDecision[10_000];
        Array.Fill(many, Sample);

        Assert.Equal(10_000, Read(Write(many), out _).Count);
    }

    [Fact]
    public void Read_CutAnywhere_KeepsWhatWasThereAndSaysSo()
    {
        byte[] log = Write(Sample, Sample);
        int first = DecisionLogFormat.HeaderBytes + Header.Profile.Length;
        for (int length = first; length < log.Length; length++)
        {
            List<ImpairmentDecision> decisions = Read(log[..length], out DecisionLogReader reader);
            Assert.Equal(Math.Min(2, (length - first) / 32), decisions.Count);
            Assert.False(reader.IsComplete);
        }
    }

    [Fact]
    public void Read_HeaderCut_IsRefused()
    {
        byte[] log = Write();
        for (int length = 0; length < 52; length++)
        {
            Assert.Throws<DecisionLogException>(() => new DecisionLogReader(new MemoryStream(log[..length])));
        }
    }

    [Theory]
    [InlineData(0, 0x55, "decision log@0x0: expected the 40-byte header beginning with TDIMPAIR, found something else.")]
    [InlineData(8, 2, "decision log@0x8: expected version 1, found 2.")]
    [InlineData(10, 64, "decision log@0xa: expected a record length of 32, found 64.")]
    [InlineData(15, 0x7F, "decision log@0xc: expected a profile of at most 65536 bytes, found 2130706444.")]
    [InlineData(82, 16, "decision log@0x52: expected an action from 1 to 15, found 16.")]
    public void Read_Damaged_SaysWhere(int offset, byte value, string message)
    {
        byte[] log = Write(Sample);
        log[offset] = value;

        Assert.Equal(message, Assert.Throws<DecisionLogException>(() => Read(log, out _)).Message);
    }

    [Fact]
    public void Writer_ProfileTooLong_IsRefused() =>
        Assert.Throws<ArgumentException>(() => new DecisionLogWriter(Stream.Null, Header with { Profile = new string('x', 65537) }));

    [Fact]
    public void Writer_Record_AllocatesNothing()
    {
        DecisionLogWriter writer = new(Stream.Null, Header);
        writer.Record(in Sample);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100_000; i++)
        {
            writer.Record(in Sample);
        }

        // Whole bytes per decision: now and then the runtime allocates a little for itself, while it recompiles.
        Assert.Equal(0, (GC.GetAllocatedBytesForCurrentThread() - before) / 100_000);
    }
}
