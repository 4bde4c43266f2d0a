using System.Globalization;
using TcpDiag.Traces.Etl;
using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>What the header of an .etl file tells, as facts of a trace.</summary>
static class EtlSystemFacts
{
    /// <summary>Translates the header.</summary>
    /// <param name="file">An open file.</param>
    /// <returns>The facts; what the session did not fill in is null.</returns>
    public static SystemFacts From(EtlFile file)
    {
        EtlFileHeader header = file.Header;
        return new SystemFacts
        {
            WindowsBuild = KnownNumber(header.Build),
            OperatingSystem = header.Build == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"Windows build {header.Build}"),
            Processors = KnownNumber(header.Processors),
            PointerSize = header.PointerSize is 4 or 8 ? (int)header.PointerSize : null,
            Clock = Describe(file.Clock),
            Started = header.StartFileTime == 0 ? null : TraceTime.FromFileTime(header.StartFileTime),
            Stopped = header.IsClosed ? TraceTime.FromFileTime(header.EndFileTime) : null,
            LostEvents = header.EventsLost,
            LostBuffers = header.BuffersLost,
            LossSpans = EtlLossSpans.Find(file),
        };
    }

    static int? KnownNumber(uint value) => value is 0 or > int.MaxValue ? null : (int)value;

    static string Describe(EtlClock clock) => clock.Type switch
    {
        EtlClockType.SystemTime => "system time, 100 ns",
        EtlClockType.CpuCycles => string.Create(CultureInfo.InvariantCulture, $"CPU cycles at {clock.Frequency} Hz"),
        _ => string.Create(CultureInfo.InvariantCulture, $"QPC at {clock.Frequency} Hz"),
    };
}
