namespace TcpDiag.Analysis.Timelines;

/// <summary>A connection over time.</summary>
public sealed class ConnectionTimeline : Timeline
{
    readonly DirectionTimeline[] _directions;
    bool _isClientHigh;

    internal ConnectionTimeline(TimelineBudget budget) => _directions = [new(budget), new(budget)];

    /// <summary>What the client sent, and what came back for it.</summary>
    public DirectionTimeline FromClient => _directions[_isClientHigh ? 1 : 0];

    /// <summary>What the server sent, and what came back for it.</summary>
    public DirectionTimeline FromServer => _directions[_isClientHigh ? 0 : 1];

    /// <summary>Latest instant, ns: where several interfaces left a file out of order, time stands still instead of going back.</summary>
    internal long Now { get; private set; } = long.MinValue;

    /// <summary>The connection, once it is put away.</summary>
    internal Connection? Result { get; private set; }

    /// <inheritdoc/>
    internal override long Length => _directions[0].Length + _directions[1].Length;

    /// <summary>The direction of what an end sends.</summary>
    /// <param name="from">0 for the endpoint that sorts first, 1 for the other.</param>
    /// <returns>The direction.</returns>
    internal DirectionTimeline From(int from) => _directions[from];

    /// <summary>Moves on in time.</summary>
    /// <param name="time">Instant of a record.</param>
    /// <returns>The latest instant so far.</returns>
    internal long MoveTo(long time) => Now = long.Max(Now, time);

    /// <summary>The connection is put away.</summary>
    /// <param name="result">The connection.</param>
    /// <param name="isClientHigh">Whether its client is the endpoint that sorts last.</param>
    internal void SetResult(Connection result, bool isClientHigh)
    {
        Result = result;
        _isClientHigh = isClientHigh;
    }

    /// <inheritdoc/>
    internal override void Reduce(int maximum)
    {
        _directions[0].Reduce(maximum);
        _directions[1].Reduce(maximum);
    }
}
