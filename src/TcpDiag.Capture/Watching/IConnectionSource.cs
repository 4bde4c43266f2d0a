using System;

namespace TcpDiag.Capture.Watching;

/// <summary>Tells of all open connections.</summary>
interface IConnectionSource : IDisposable
{
    /// <summary>Whether events of the stack tell what happened between two readings.</summary>
    bool HasEvents { get; }

    /// <summary>Connections that the latest reading left out because there were too many.</summary>
    long LeftOut => 0;

    /// <summary>Reads all connections.</summary>
    /// <param name="take">Is told each; the reading is used again for the next one.</param>
    /// <param name="begin">Is told the time, microseconds, before the first one.</param>
    /// <returns>That time.</returns>
    /// <exception cref="CaptureException">The system does not tell any more.</exception>
    long Read(Action<ConnectionReading> take, Action<long> begin);
}
