using System;
using System.Buffers.Binary;
using System.IO;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Shim.Divert;
using TcpDiag.Testing;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// The connection to a stand-in for WinDivert (StandIn/windivert.c): packets go there as the driver would see them, and come back as it is given them.
/// </summary>
sealed class StandInConnection : IDisposable
{
    const int HeaderBytes = 8 + DivertAddress.SizeBytes;
    const uint NoteKind = 2;
    const uint FlushKind = 3;

    readonly Socket _socket;
    readonly Thread _reader;
    readonly Action<StandInPacket> _onPacket;
    readonly Action<string> _onNote;
    readonly TaskCompletionSource _flushed = new();
    readonly byte[] _frame = new byte[HeaderBytes + ushort.MaxValue + 41];

    /// <summary>Begins to read.</summary>
    /// <param name="socket">Closed with this object.</param>
    /// <param name="onPacket">Told each packet that comes back, on a thread of its own.</param>
    /// <param name="onNote">Told what the stand-in notes, on the same.</param>
    public StandInConnection(Socket socket, Action<StandInPacket> onPacket, Action<string> onNote)
    {
        _socket = socket;
        _socket.NoDelay = true;
        _onPacket = onPacket;
        _onNote = onNote;
        _reader = new Thread(Read) { IsBackground = true };
        _reader.Start();
    }

    /// <summary>Lets a packet, or a flow, happen; it has the time at which the stand-in gets it.</summary>
    /// <exception cref="SocketException">The stand-in has gone.</exception>
    public void Send(ReadOnlySpan<byte> packet, in DivertAddress address) =>
        SendFrame(kind: 0, packet, in address);

    /// <summary>
    /// Waits until the stand-in has all that was sent, or has gone: a process that ends takes with it what it has not read, as no driver does.
    /// </summary>
    /// <exception cref="TimeoutException">It does not read.</exception>
    public void Flush()
    {
        try
        {
            SendFrame(FlushKind, default, default);
        }
        catch (SocketException)
        {
            // It has gone.
            return;
        }

        if (!_flushed.Task.Wait(Patience.Limit))
        {
            throw new TimeoutException("The stand-in does not read.");
        }
    }

    /// <summary>Waits until the stand-in has gone and all it said was told.</summary>
    public void Join() => _reader.Join();

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    void SendFrame(uint kind, ReadOnlySpan<byte> packet, in DivertAddress address)
    {
        lock (_frame)
        {
            BinaryPrimitives.WriteInt32LittleEndian(_frame, packet.Length);
            BinaryPrimitives.WriteUInt32LittleEndian(_frame.AsSpan(4), kind);
            MemoryMarshal.Write(_frame.AsSpan(8), in address);
            packet.CopyTo(_frame.AsSpan(HeaderBytes));
            _socket.Send(_frame.AsSpan(0, HeaderBytes + packet.Length));
        }
    }

    void Read()
    {
        using NetworkStream stream = new(_socket);
        byte[] header = new byte[HeaderBytes];
        try
        {
            while (stream.ReadAtLeast(header, HeaderBytes, throwOnEndOfStream: false) == HeaderBytes)
            {
                byte[] data = new byte[BinaryPrimitives.ReadInt32LittleEndian(header)];
                stream.ReadExactly(data);
                Tell(BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(4)), data, MemoryMarshal.Read<DivertAddress>(header.AsSpan(8)));
            }
        }
        catch (IOException)
        {
            // The process has ended; what it had to say was read before.
        }
        finally
        {
            _flushed.TrySetResult();
        }
    }

    void Tell(uint kind, byte[] data, DivertAddress address)
    {
        if (kind == FlushKind)
        {
            _flushed.TrySetResult();
        }
        else if (kind == NoteKind)
        {
            _onNote(Encoding.ASCII.GetString(data));
        }
        else
        {
            _onPacket(new StandInPacket(data, address, IsPassed: kind != 0));
        }
    }
}
