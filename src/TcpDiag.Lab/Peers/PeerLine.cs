using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Peers;

/// <summary>Lines of JSON on a control connection, bounded in length and time.</summary>
static class PeerLine
{
    const int MaxBytes = 64 * 1024;

    public static void Write<T>(Socket socket, T value, JsonTypeInfo<T> type)
    {
        using NetworkStream stream = new(socket);
        stream.Write(Encoding.UTF8.GetBytes(JsonSerializer.Serialize(value, type) + "\n"));
    }

    /// <summary>Reads a line.</summary>
    /// <exception cref="LabException">None came in time, or it is not what was expected.</exception>
    public static T Read<T>(Socket socket, TimeSpan limit, JsonTypeInfo<T> type)
    {
        try
        {
            return JsonSerializer.Deserialize(ReadBytes(socket, limit), type) ?? throw new LabException("The other side sent null.");
        }
        catch (JsonException wrong)
        {
            throw new LabException($"The other side does not speak as a tcpdiag of this version does ({wrong.Message})");
        }
        catch (IOException gone)
        {
            throw new LabException($"The other side did not answer ({gone.Message})");
        }
    }

    static byte[] ReadBytes(Socket socket, TimeSpan limit)
    {
        using NetworkStream stream = new(socket) { ReadTimeout = (int)limit.TotalMilliseconds };
        using MemoryStream line = new();
        int next;
        while ((next = stream.ReadByte()) is not ('\n' or -1))
        {
            line.WriteByte((byte)next);
            if (line.Length > MaxBytes)
            {
                throw new LabException("The other side sent a line without end.");
            }
        }

        return next == -1 ? throw new LabException("The other side closed the control connection.") : line.ToArray();
    }
}

/// <summary>The first line of a control connection: what is to be received.</summary>
/// <param name="Token">The secret both sides were given.</param>
/// <param name="Flow">The settings of the flow, as a matrix has them.</param>
/// <param name="Scale">Shortens it.</param>
/// <param name="Path">The settings of the path to emulate there; empty for the path that there is.</param>
/// <param name="Seed">The seed of its random decisions.</param>
/// <param name="Recording">What to record there; null for nothing.</param>
/// <param name="Middle">Between which ends to emulate the path, asked of a machine in the middle; null of one that receives.</param>
public sealed record PeerRequest(
    string Token,
    IReadOnlyList<LabOption> Flow,
    double Scale,
    IReadOnlyList<LabOption> Path,
    ulong Seed,
    RecordingSettings? Recording = null,
    PathEnds? Middle = null);

/// <summary>The connections of a run, for a machine between its ends.</summary>
/// <param name="Sender">Address of the end that sends.</param>
/// <param name="Receiver">Address of the end that awaits them.</param>
/// <param name="Port">Its port.</param>
public sealed record PathEnds(string Sender, string Receiver, int Port);

/// <summary>A line that answers: one with the port, or a refusal, and one with the reports at the end.</summary>
/// <param name="Refusal">Why not, as a sentence; null when it goes on.</param>
/// <param name="Port">Where the flow's connections are awaited; 0 in the last line.</param>
/// <param name="Reports">What was received, a report for each connection; empty in the first line.</param>
/// <param name="Path">What came of the emulated path; null in the first line, and without one.</param>
/// <param name="Capture">What the recorder says; null in the first line, and without one.</param>
/// <param name="Files">The files that follow this line, one behind the other; null is none.</param>
/// <param name="System">The system there with its revision; null in the first line, and where it was not asked.</param>
/// <param name="IsWaiting">Whether this line only says that another caller has its turn, and the answer comes later.</param>
public sealed record PeerReply(
    string? Refusal,
    int Port,
    IReadOnlyList<FlowReport> Reports,
    ShimReport? Path = null,
    CaptureFigures? Capture = null,
    IReadOnlyList<PeerFile>? Files = null,
    string? System = null,
    bool IsWaiting = false);

/// <summary>A file that follows the last line of a control connection.</summary>
/// <param name="Name">Its name, without a folder.</param>
/// <param name="Bytes">Its length.</param>
public sealed record PeerFile(string Name, long Bytes);
