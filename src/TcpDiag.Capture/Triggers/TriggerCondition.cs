namespace TcpDiag.Capture.Triggers;

/// <summary>Something that ends a recording when it happens (<c>--until</c>, docs/capture.md). <c>ToString</c> gives its words back.</summary>
public abstract record TriggerCondition
{
    private protected TriggerCondition()
    {
    }

    /// <summary>Begins to wait for it.</summary>
    /// <returns>What waits.</returns>
    private protected abstract TriggerProbe CreateProbe();

    /// <summary>Begins to wait for it.</summary>
    /// <returns>What waits.</returns>
    internal TriggerProbe Watch() => CreateProbe();
}
