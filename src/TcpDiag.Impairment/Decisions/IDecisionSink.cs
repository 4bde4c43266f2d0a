namespace TcpDiag.Impairment.Decisions;

/// <summary>Receives every decision, in the order taken.</summary>
public interface IDecisionSink
{
    /// <summary>Takes one decision; must not block, it runs between two packets.</summary>
    /// <param name="decision">The decision; valid during the call.</param>
    void Record(in ImpairmentDecision decision);
}
