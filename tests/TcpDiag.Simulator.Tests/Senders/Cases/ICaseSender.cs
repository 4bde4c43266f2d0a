namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>A sender to which a case is played: the reference, or a kernel. Positions count segments from 1 and may be fractions.</summary>
interface ICaseSender
{
    /// <summary>The time of the case, ms.</summary>
    double NowMs { get; }

    /// <summary>SND.UNA.</summary>
    double SndUna { get; }

    /// <summary>SND.NXT.</summary>
    double SndNxt { get; }

    /// <summary>Moves the clock; it does not run backwards.</summary>
    void At(double ms);

    /// <summary>The round trip of the handshake.</summary>
    void OnHandshakeRtt(double ms);

    /// <summary>The program writes: segments, or bytes where a <c>b</c> follows.</summary>
    void Write(string amount);

    /// <summary>An acknowledgment arrives.</summary>
    void Ack(AckWords words);

    /// <summary>Something outside, like pacing, keeps it from sending, or no longer does.</summary>
    void Hold(bool isHeld);

    /// <summary>What was sent since the last question.</summary>
    /// <param name="expected">What the case states: who is on a real clock waits for it a little.</param>
    string TakeSent(string expected);

    /// <summary>Numbers of the segments that are marked as lost, or SACKed; null where nobody outside can see it.</summary>
    string? Marked(string mark);

    /// <summary>A state by its name: a number, or a word; null where nobody outside can see it.</summary>
    object? State(string name);
}
