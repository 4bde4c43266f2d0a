using System;
using System.Collections.Concurrent;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Threading;

namespace TcpDiag.Web;

/// <summary>The server's figures.</summary>
sealed class ServeCounters
{
    readonly ConcurrentDictionary<int, long> _answers = new();
    readonly ConcurrentDictionary<string, long> _refused = new(StringComparer.Ordinal);
    long _reports;
    long _reportMilliseconds;
    long _graphs;

    public void Answered(int status) => _answers.AddOrUpdate(status, 1, static (_, count) => count + 1);

    public void Refused(string reason) => _refused.AddOrUpdate(reason, 1, static (_, count) => count + 1);

    public void Reported(long milliseconds)
    {
        Interlocked.Increment(ref _reports);
        Interlocked.Add(ref _reportMilliseconds, milliseconds);
    }

    public void Drawn() => Interlocked.Increment(ref _graphs);

    /// <summary>The figures in the text format of Prometheus.</summary>
    public string ToPrometheus()
    {
        var text = new StringBuilder();
        Head(text, "answers_total", "Answers by status.");
        foreach ((int status, long count) in _answers.OrderBy(entry => entry.Key))
        {
            Line(text, $"answers_total{{status=\"{status.ToString(CultureInfo.InvariantCulture)}\"}}", count);
        }

        Head(text, "refused_total", "Requests that were refused, by why.");
        foreach ((string reason, long count) in _refused.OrderBy(entry => entry.Key, StringComparer.Ordinal))
        {
            Line(text, $"refused_total{{reason=\"{reason}\"}}", count);
        }

        Head(text, "reports_total", "Reports that were made of the store.");
        Line(text, "reports_total", Interlocked.Read(ref _reports));
        Head(text, "report_milliseconds_total", "Time that they took.");
        Line(text, "report_milliseconds_total", Interlocked.Read(ref _reportMilliseconds));
        Head(text, "graphs_total", "Recordings that were read for their graphs.");
        Line(text, "graphs_total", Interlocked.Read(ref _graphs));
        return text.ToString();
    }

    static void Head(StringBuilder text, string name, string help) =>
        text.Append(CultureInfo.InvariantCulture, $"# HELP tcpdiag_serve_{name} {help}\n# TYPE tcpdiag_serve_{name} counter\n");

    static void Line(StringBuilder text, string name, long value) => text.Append(CultureInfo.InvariantCulture, $"tcpdiag_serve_{name} {value}\n");
}
