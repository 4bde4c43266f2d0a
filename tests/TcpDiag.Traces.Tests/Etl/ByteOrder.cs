using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>Orders byte arrays by content, to compare sets of records.</summary>
sealed class ByteOrder : IComparer<byte[]>
{
    internal static ByteOrder Instance { get; } = new();

    public int Compare(byte[]? x, byte[]? y) => x.AsSpan().SequenceCompareTo(y);
}
