using System;
using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>
/// What the kernel that recorded a connection told of it, in time. Its probe fires before the acknowledgment that it belongs to is processed
/// (measures 3), and not at all once the application has closed: then only samples are left. What held in between follows from the bytes acknowledged: a window
/// grows with them. Where two samples in a row show data waiting to be sent, some of it waited in between.
/// </summary>
sealed class KernelSamples
{
    readonly List<Sample> _samples = [];
    long _acknowledged;
    long _before;

    /// <summary>Takes in an acknowledgment.</summary>
    /// <param name="bytes">Bytes acknowledged so far.</param>
    public void OnAcknowledged(long bytes) => (_before, _acknowledged) = (_acknowledged, bytes);

    /// <summary>Takes in a sample.</summary>
    public void Add(StackEvent told)
    {
        if (told.Kind != StackEventKind.CwndSample || !told.TryGet(StackField.Cwnd, out long cwnd))
        {
            return;
        }

        bool isProbe = told.Source.EndsWith("tcp_probe", StringComparison.Ordinal);
        long? unsent = told.TryGet(StackField.SendAvailable, out long waiting) ? waiting : null;
        long srtt = told.TryGet(StackField.Srtt, out long microseconds) ? microseconds : 0;
        _samples.Add(new(told.Time, isProbe ? _before : _acknowledged, cwnd, srtt, unsent));
    }

    /// <summary>Sets window and SRTT as they were at an instant.</summary>
    /// <param name="time">The instant.</param>
    /// <param name="acknowledged">Bytes acknowledged by then.</param>
    /// <param name="values">Gets them, under the names of Windows.</param>
    public void Set(TraceTime time, long acknowledged, Dictionary<string, long> values)
    {
        if (_samples.Count == 0)
        {
            return;
        }

        int next = _samples.FindIndex(sample => sample.Time > time);
        Sample after = _samples[next < 0 ? _samples.Count - 1 : next];
        Sample before = next > 0 ? _samples[next - 1] : after;
        double part = after.Acknowledged > before.Acknowledged
            ? Math.Clamp((double)(acknowledged - before.Acknowledged) / (after.Acknowledged - before.Acknowledged), 0, 1)
            : 1;
        long cwnd = before.Cwnd + (long)((after.Cwnd - before.Cwnd) * part);
        (values["Cwnd"], values["CWnd"], values["NewCwnd"]) = (cwnd, cwnd, cwnd);
        (values["SRtt"], values["SRTT"], values["RttUs"]) = (after.Srtt, after.Srtt, after.Srtt);
    }

    /// <summary>Bytes that waited to be sent at an instant, as far as is known.</summary>
    public long UnsentAt(TraceTime time)
    {
        int next = _samples.FindIndex(sample => sample.Unsent is not null && sample.Time > time);
        int last = _samples.FindLastIndex(sample => sample.Unsent is not null && sample.Time <= time);
        return next < 0 || last < 0 ? 0 : Math.Min(_samples[next].Unsent ?? 0, _samples[last].Unsent ?? 0);
    }

    sealed record Sample(TraceTime Time, long Acknowledged, long Cwnd, long Srtt, long? Unsent);
}
