namespace TcpDiag.Impairment.Randomness;

/// <summary>What a random stream decides. The numbers are part of the meaning of a seed: never renumber.</summary>
enum DecisionKind
{
    Loss = 1,
    Corruption = 2,
    CorruptedBit = 3,
    Jitter = 4,
    Reordering = 5,
    Duplication = 6,
}
