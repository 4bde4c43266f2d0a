using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>A range of sequence numbers with what is known about it.</summary>
interface ISequenceRange
{
    /// <summary>First number.</summary>
    SequenceNumber Start { get; set; }

    /// <summary>Behind the last number.</summary>
    SequenceNumber End { get; set; }
}
