using System;
using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace TcpDiag.Lab.Peers;

/// <summary>Lines of JSON on a control connection, bounded in length and time.</summary>
static class PeerLine
{
    const int MaxBytes = 64 * 1024;

    /// <summary>Sends a line.</summary>
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
