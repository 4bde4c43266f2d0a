using System;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Report.Dump;

/// <summary>Writes events of a dump one by one; disposing writes what is held back and leaves the output open.</summary>
interface IDumpWriter : IDisposable
{
    /// <summary>Writes an event of an .etl file.</summary>
    void Write(scoped in DumpRecord dumped);

    /// <summary>Writes a stack event.</summary>
    void Write(StackEvent stackEvent, long sinceStart);
}
