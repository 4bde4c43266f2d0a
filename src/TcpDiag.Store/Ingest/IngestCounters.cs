using System.Globalization;
using System.Text;
using System.Threading;

namespace TcpDiag.Store.Ingest;

/// <summary>What an ingest has done so far. Any thread may count.</summary>
public sealed class IngestCounters
{
    long _added;
    long _kept;
    long _spooled;
    long _rejected;
    long _retried;
    long _passedOver;
    long _bytes;
    long _active;
    long _waiting;

    /// <summary>Recordings that were added, or replaced.</summary>
    public long Added => Interlocked.Read(ref _added);

    /// <summary>Recordings that were there already.</summary>
    public long Kept => Interlocked.Read(ref _kept);

    /// <summary>Recordings that waited in the spool for the server.</summary>
    public long Spooled => Interlocked.Read(ref _spooled);

    /// <summary>Files that were set aside.</summary>
    public long Rejected => Interlocked.Read(ref _rejected);

    /// <summary>Files that cannot be opened by their names.</summary>
    public long PassedOver => Interlocked.Read(ref _passedOver);

    /// <summary>The figures in the text format of Prometheus.</summary>
    public string ToPrometheus()
    {
        var text = new StringBuilder();
        Head(text, "recordings_total", "counter", "Files by what became of them.");
        Line(text, "recordings_total{outcome=\"added\"}", Added);
        Line(text, "recordings_total{outcome=\"kept\"}", Kept);
        Line(text, "recordings_total{outcome=\"spooled\"}", Spooled);
        Line(text, "recordings_total{outcome=\"rejected\"}", Rejected);
        Line(text, "recordings_total{outcome=\"retried\"}", Interlocked.Read(ref _retried));
        Line(text, "recordings_total{outcome=\"passed over\"}", PassedOver);
        Head(text, "read_bytes_total", "counter", "Bytes of the files that were taken in.");
        Line(text, "read_bytes_total", Interlocked.Read(ref _bytes));
        Head(text, "active_workers", "gauge", "Workers that read a file.");
        Line(text, "active_workers", Interlocked.Read(ref _active));
        Head(text, "waiting_files", "gauge", "Complete files that were not settled at the last look.");
        Line(text, "waiting_files", Interlocked.Read(ref _waiting));
        return text.ToString();
    }

    internal void Begin() => Interlocked.Increment(ref _active);

    internal void End() => Interlocked.Decrement(ref _active);

    internal void Wait(long files) => Interlocked.Exchange(ref _waiting, files);

    internal void Retry() => Interlocked.Increment(ref _retried);

    internal void PassOver() => Interlocked.Increment(ref _passedOver);

    internal void Reject() => Interlocked.Increment(ref _rejected);

    internal void Take(AddOutcome outcome, long bytes)
    {
        Interlocked.Add(ref _bytes, bytes);
        _ = outcome switch
        {
            AddOutcome.Kept => Interlocked.Increment(ref _kept),
            AddOutcome.Spooled => Interlocked.Increment(ref _spooled),
            _ => Interlocked.Increment(ref _added),
        };
    }

    static void Head(StringBuilder text, string name, string type, string help) =>
        text.Append(CultureInfo.InvariantCulture, $"# HELP tcpdiag_ingest_{name} {help}\n# TYPE tcpdiag_ingest_{name} {type}\n");

    static void Line(StringBuilder text, string name, long value) => text.Append(CultureInfo.InvariantCulture, $"tcpdiag_ingest_{name} {value}\n");
}
