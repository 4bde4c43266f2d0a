using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;

namespace TcpDiag.Lab.Peers;

/// <summary>
/// The files of a run on a control connection. What comes is the other machine's word: names are those we know, lengths are bounded, and every read
/// has an end.
/// </summary>
static class PeerFiles
{
    // A recorder stops at 1 GiB and what it records meanwhile.
    const long MaxBytes = 2L << 30;

    const int BufferBytes = 1 << 16;

    /// <summary>What a peer may send.</summary>
    public static readonly IReadOnlyList<string> Names =
        ["receiver.pcapng", "receiver.etl", "receiver-capture.log", "between.pcapng", "decisions.tdil", "path.log", "receiver-system.json"];

    /// <summary>What there is of it in a folder.</summary>
    public static IReadOnlyList<PeerFile> List(string folder) =>
        [.. Names.Select(name => new FileInfo(Path.Combine(folder, name))).Where(file => file.Exists).Select(file => new PeerFile(file.Name, file.Length))];

    /// <summary>Sends files of a folder.</summary>
    public static void Send(Socket socket, string folder, IReadOnlyList<PeerFile> files)
    {
        using NetworkStream stream = new(socket);
        foreach (PeerFile file in files)
        {
            using FileStream source = File.OpenRead(Path.Combine(folder, file.Name));
            Copy(source, stream, file.Bytes);
        }
    }

    /// <summary>Takes files, each to a path of ours.</summary>
    /// <exception cref="LabException">They are not what a peer sends, or do not come.</exception>
    public static void Receive(Socket socket, IReadOnlyList<PeerFile> files, TimeSpan limit, Func<string, string> pathOf)
    {
        if (files.FirstOrDefault(file => !Names.Contains(file.Name, StringComparer.Ordinal) || file.Bytes is < 0 or > MaxBytes) is { } strange)
        {
            throw new LabException(FormattableString.Invariant($"The other side sent a file that no run has: '{strange.Name}' of {strange.Bytes} bytes."));
        }

        using NetworkStream stream = new(socket) { ReadTimeout = (int)limit.TotalMilliseconds };
        try
        {
            foreach (PeerFile file in files)
            {
                using FileStream target = File.Create(pathOf(file.Name));
                Copy(stream, target, file.Bytes);
            }
        }
        catch (EndOfStreamException)
        {
            throw new LabException("The other side closed the control connection within a file.");
        }
        catch (IOException gone) when (gone.InnerException is SocketException)
        {
            throw new LabException($"The other side did not send its files ({gone.Message})");
        }
    }

    static void Copy(Stream from, Stream to, long bytes)
    {
        byte[] buffer = new byte[BufferBytes];
        while (bytes > 0)
        {
            int length = (int)Math.Min(buffer.Length, bytes);
            from.ReadExactly(buffer, 0, length);
            to.Write(buffer, 0, length);
            bytes -= length;
        }
    }
}
