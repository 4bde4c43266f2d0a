using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using TcpDiag.Impairment.Rates;

namespace TcpDiag.Impairment.Profiles;

/// <summary>Reads the rate traces that options name, each file once.</summary>
sealed class TraceFiles(bool mayRead)
{
    readonly Dictionary<string, RateTrace> _traces = new(StringComparer.Ordinal);

    /// <summary>The trace in a file.</summary>
    /// <exception cref="ImpairmentException">There is no such file, it is not such a trace, or files may not be read here.</exception>
    public RateTrace Read(string where, string path)
    {
        if (!mayRead)
        {
            throw new ImpairmentException(where, "a path without files: a trace is read only on the machine whose command names it", "a file");
        }

        if (!_traces.TryGetValue(path, out RateTrace? trace))
        {
            _traces[path] = trace = Open(where, path);
        }

        return trace;
    }

    static RateTrace Open(string where, string path)
    {
        const string Expected = "a file of Mahimahi's format, one time in ms a line";
        try
        {
            using StreamReader reader = new(path, Encoding.ASCII);
            return RateTrace.Read(path, reader);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ImpairmentException(where, Expected, File.Exists(path) ? "one that cannot be read" : $"no file '{path}'");
        }
    }
}
