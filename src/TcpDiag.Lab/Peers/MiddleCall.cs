using System;
using System.Net.Sockets;
using System.Threading;
using TcpDiag.Lab.Results;

namespace TcpDiag.Lab.Peers;

/// <summary>The path of a run, emulated by a machine between its ends as long as the connection to that is open.</summary>
sealed class MiddleCall : IDisposable
{
    readonly Socket _control;

    MiddleCall(Socket control) => _control = control;

    /// <summary>Has it emulate the path.</summary>
    /// <param name="middle">The machine in the middle.</param>
    /// <param name="request">What to emulate, with the ends of the path.</param>
    /// <param name="limit">How long it may take to begin.</param>
    /// <param name="interruption">Ends the wait.</param>
    /// <returns>The call; packets are impaired from now on.</returns>
    /// <exception cref="LabException">The machine refuses, or is not there.</exception>
    public static MiddleCall Open(PeerEndpoint middle, PeerRequest request, TimeSpan limit, CancellationToken interruption)
    {
        Socket control = PeerCall.Open(middle);
        try
        {
            PeerLine.Write(control, request, LabJson.Default.PeerRequest);
            _ = PeerCall.ReadReply(control, limit, interruption);
            return new MiddleCall(control);
        }
        catch
        {
            control.Dispose();
            throw;
        }
    }

    /// <summary>Ends the path and takes what it leaves.</summary>
    /// <param name="limit">How long each step may take.</param>
    /// <param name="pathOf">Where a file goes.</param>
    /// <param name="interruption">Ends the wait.</param>
    /// <returns>What came of it.</returns>
    /// <exception cref="LabException">The machine went away.</exception>
    public PeerReply End(TimeSpan limit, Func<string, string> pathOf, CancellationToken interruption)
    {
        _control.Send("\n"u8);
        PeerReply last = PeerCall.ReadReply(_control, limit, interruption);
        PeerFiles.Receive(_control, last.Files ?? [], limit, pathOf);
        return last;
    }

    /// <inheritdoc/>
    public void Dispose() => _control.Dispose();
}
