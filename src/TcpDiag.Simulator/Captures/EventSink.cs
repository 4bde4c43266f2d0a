using System;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Captures;

/// <summary>
/// Writes events of one connection. Fields keep their value until it is set anew, as the state of a stack does. Of a session that began later nothing before
/// is written, and the first event lists the connection, as the rundown of a session that starts does.
/// </summary>
sealed class EventSink
{
    /// <summary>The stack's handle of the connection.</summary>
    const long Tcb = unchecked((long)0xFFFF_A98D_43C0_6960);

    const int Rundown = 1300;
    const long Socket = unchecked((long)0xFFFF_A98D_4410_2A10);
    const long Process = unchecked((long)0xFFFF_A98D_3F6E_8080);

    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    static readonly Guid Afd = new("e53c6823-7bb8-44bb-90dc-3f86090d48a6");

    readonly EtlWriter _writer;
    readonly WindowsRecordBuilder _records;
    readonly Endpoint _local;
    readonly Endpoint _remote;
    readonly TraceTime? _start;
    bool _isListed;

    public EventSink(EtlWriter writer, WindowsRecordBuilder records, Endpoint local, Endpoint remote, TraceTime? start)
    {
        _start = start;
        _writer = writer;
        _records = records;
        _local = local;
        _remote = remote;
        Set("Tcb", Tcb);
        Set("Endpoint", Socket);
        Set("Process", Process);
        Set("BufferCount", 1);
        Set("ProcessId", WindowsRecordBuilder.ProcessId);
        Set("Pid", WindowsRecordBuilder.ProcessId);
    }

    /// <summary>Sets the fields of a name, in whatever event they stand.</summary>
    public void Set(string name, long value) => _records.Values[name] = value;

    /// <summary>Whether the build has an event of TCPIP.</summary>
    public bool Has(int id) => _records.Layout(Tcpip, id) is not null;

    /// <summary>Whether the session has begun.</summary>
    public bool IsRecording(TraceTime time)
    {
        if (time < _start)
        {
            return false;
        }

        if (_start is not null && !_isListed)
        {
            _isListed = true;
            _writer.Write(_records.Event(Tcpip, Rundown, time, _local, _remote), processor: 0);
        }

        return true;
    }

    /// <summary>Writes an event of TCPIP, if the build has it.</summary>
    public void Write(int id, TraceTime time)
    {
        if (Has(id) && IsRecording(time))
        {
            _writer.Write(_records.Event(Tcpip, id, time, _local, _remote), processor: 0);
        }
    }

    /// <summary>Writes that the connection is there, as a session lists it when it starts and ends.</summary>
    public void WriteRundown(TraceTime time) => Write(Rundown, time);

    /// <summary>Writes that a program enters or leaves a call of AFD.</summary>
    public void WriteCall(int id, bool isExit, int bytes, TraceTime time)
    {
        Set("EnterExit", isExit ? 1 : 0);
        Set("BufferLength", bytes);
        Set("Status", 0);
        if (IsRecording(time))
        {
            _writer.Write(_records.Event(Afd, id, time, _local, _remote), processor: 0);
        }
    }
}
