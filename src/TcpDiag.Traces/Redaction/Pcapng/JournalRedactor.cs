using System;
using System.Buffers;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction.Pcapng;

/// <summary>Redacts stack events that stand as journal entries in a pcapng file. Entries of other programs may say anything, and are left out.</summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class JournalRedactor(Pseudonyms names)
{
    // Sources told to be public; a file has some dozens.
    const int MostSources = 1024;

    readonly StackEvent _event = new();
    readonly HashSet<string> _sources = [];

    /// <summary>Redacts an entry.</summary>
    /// <param name="entry">The body of a journal block.</param>
    /// <param name="target">Receives the entry with pseudonyms.</param>
    /// <returns>False when it is no stack event.</returns>
    public bool TryRedact(ReadOnlySpan<byte> entry, IBufferWriter<byte> target)
    {
        if (!JournalDecoder.TryDecode(entry, _event))
        {
            return false;
        }

        Publish(_event.Source);
        _event.Local = Map(_event.Local);
        _event.Remote = Map(_event.Remote);
        _event.Text = _event.Text is { } text ? names.ReplaceText(text) : null;
        JournalEncoder.Encode(_event, target);
        return true;
    }

    Endpoint? Map(Endpoint? endpoint) => endpoint is { } end ? new Endpoint(names.Map(end.Address), names.MapPort(end.Port)) : null;

    // The vocabulary of events with the first one.
    void Publish(string source)
    {
        if (_sources.Count == 0)
        {
            names.Originals.Publish("MESSAGE SYSLOG IDENTIFIER REALTIME TIMESTAMP EVENT TIME NS SOURCE TCB PID LOCAL REMOTE TEXT");
            Array.ForEach(Enum.GetValues<StackEventKind>(), kind => names.Originals.Publish(Encoding.UTF8.GetString(JournalNames.Of(kind))));
            Array.ForEach(Enum.GetValues<StackField>(), field => names.Originals.Publish(Encoding.UTF8.GetString(JournalNames.Of(field))));
        }

        if (_sources.Count < MostSources && _sources.Add(source))
        {
            names.Originals.Publish(source);
        }
    }
}
