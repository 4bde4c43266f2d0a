using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.StackEvents;

/// <summary>How one Windows event becomes an event of the vocabulary.</summary>
/// <param name="Provider">Provider, or class of a classic event.</param>
/// <param name="Id">Event id; of a classic event its opcode.</param>
/// <param name="Kind">What it tells.</param>
sealed record StackEventMapping(Guid Provider, int Id, StackEventKind Kind)
{
    /// <summary>Fields that mean something else here than <see cref="CommonFieldNames"/> says.</summary>
    public IReadOnlyList<FieldMapping> Fields { get; init; } = [];

    /// <summary>Values the event stands for without telling them.</summary>
    public IReadOnlyList<(StackField Field, long Value)> Constants { get; init; } = [];

    /// <summary>The manifest field that becomes the text, or null.</summary>
    public string? TextField { get; init; }

    /// <summary>The kind when the first field of the payload (EnterExit of AFD) is 1; None when that is not told.</summary>
    public StackEventKind KindAtExit { get; init; }

    /// <summary>Whether the first field of the payload chooses between <see cref="Kind"/> (0) and <see cref="KindAtExit"/> (1).</summary>
    public bool HasExit { get; init; }

    /// <summary>Whether the process is the one that logged the event.</summary>
    public bool IsProcessOfHeader { get; init; }
}
