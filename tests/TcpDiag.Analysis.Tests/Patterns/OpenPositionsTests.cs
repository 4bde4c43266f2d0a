using System;
using System.Linq;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Patterns;

/// <summary>Positions by kind, in whatever order they come.</summary>
public sealed class OpenPositionsTests
{
    static readonly PositionKind[] Kinds = Enum.GetValues<PositionKind>();

    readonly StructPool<OpenPositions.Many> _pool = new();
    OpenPositions _positions;

    [Theory]
    [InlineData(1)]
    [InlineData(4)] // as many as have their room in place
    [InlineData(5)]
    [InlineData(21)]
    public void Set_InAnyOrder_IsSummedUpByKind(int count)
    {
        var random = new Random(count);
        for (int round = 0; round < 50; round++)
        {
            PositionKind[] set = [.. Kinds.OrderBy(_ => random.Next()).Take(count)];
            foreach (PositionKind kind in set)
            {
                _positions.First(kind, At(1 + (int)kind), _pool);
                _positions.First(kind, At(99), _pool); // not the first
            }

            _positions.Set(set[0], At(100), _pool);
            PositionSet summary = _positions.Summarise();
            foreach (PositionKind kind in Kinds)
            {
                TracePosition? expected = kind == set[0] ? At(100) : set.Contains(kind) ? At(1 + (int)kind) : null;
                Assert.Equal((expected, expected, expected.HasValue), (_positions[kind], summary[kind], _positions.Has(kind)));
            }

            _positions.Release(_pool);
            _positions = default;
        }

        Assert.Equal(0, _pool.InUse);
    }

    static TracePosition At(long packet) => new(packet, new TraceTime(packet));
}
