using System;
using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.StackEvents;

public class StackEventTests
{
    [Fact]
    public void TryGetNext_EveryFieldSet_VisitsEachOnceInOrder()
    {
        var made = new StackEvent();
        made.Reset(StackEventKind.CwndSample, default, "test");
        StackField[] fields = Enum.GetValues<StackField>();
        foreach (StackField field in fields)
        {
            made.Set(field, 1000 + (int)field);
        }

        var visited = new List<StackField>();
        for (int at = 0; made.TryGetNext(at, out StackField field, out long value); at = (int)field + 1)
        {
            Assert.Equal(1000 + (int)field, value);
            visited.Add(field);
        }

        Assert.Equal(fields, visited);
    }

    [Fact]
    public void Reset_FieldsOfTheEventBefore_AreAbsent()
    {
        var made = new StackEvent();
        made.Set(StackField.Cwnd, 1);
        made.Set(StackField.InterfaceIndex, 1);
        made.Reset(StackEventKind.CwndSample, new TraceTime(7), "test");

        Assert.False(made.Has(StackField.Cwnd));
        Assert.False(made.Has(StackField.InterfaceIndex));
        Assert.False(made.TryGetNext(0, out _, out _));
    }

    [Theory]
    [InlineData(StackField.WMax, "W_MAX", "wMax")]
    [InlineData(StackField.Cwnd, "CWND", "cwnd")]
    [InlineData(StackField.RackXmitTime, "RACK_XMIT_TIME", "rackXmitTime")]
    public void Of_Field_SeparatesWords(StackField field, string journal, string json)
    {
        Assert.Equal(journal, StackEventNames.Of(field));
        Assert.Equal(json, StackEventNames.JsonOf(field));
    }

    [Fact]
    public void Of_EveryField_FitsAJournalFieldName()
    {
        foreach (StackField field in Enum.GetValues<StackField>())
        {
            // systemd: capital letters, digits and underscores, up to 64; the encoder counts on 30 behind its prefix.
            Assert.Matches("^[A-Z][A-Z0-9_]{0,29}$", StackEventNames.Of(field));
        }
    }
}
