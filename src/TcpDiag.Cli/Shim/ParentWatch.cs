using System;
using System.IO;
using System.Threading;

namespace TcpDiag.Cli.Shim;

/// <summary>Ends this process's work with the process that started it: standard input is a pipe whose other end only the parent holds, so its end of file says that it has gone.</summary>
sealed class ParentWatch : IDisposable
{
    readonly CancellationTokenSource _gone;

    /// <summary>Begins to watch.</summary>
    /// <param name="interruption">Ends the work too.</param>
    public ParentWatch(CancellationToken interruption)
    {
        _gone = CancellationTokenSource.CreateLinkedTokenSource(interruption);
        Thread thread = new(Watch) { IsBackground = true, Name = "parent" };
        thread.Start();
    }

    /// <summary>Cancelled when the parent has gone, or the work is interrupted.</summary>
    public CancellationToken Token => _gone.Token;

    /// <inheritdoc/>
    public void Dispose() => _gone.Dispose();

    void Watch()
    {
        using Stream input = Console.OpenStandardInput();
        byte[] ignored = new byte[64];
        while (input.Read(ignored) > 0)
        {
        }

        try
        {
            _gone.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The work ended first.
            return;
        }
    }
}
