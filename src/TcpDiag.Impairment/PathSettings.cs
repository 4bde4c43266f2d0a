namespace TcpDiag.Impairment;

/// <summary>One direction of a path: the segment in front of the observation point, and one behind it if there is any.</summary>
/// <param name="Before">The segment every packet crosses first.</param>
/// <param name="Behind">The segment behind <see cref="ObservationPoint.Between"/>, or null.</param>
public sealed record PathSettings(LinkSettings Before, LinkSettings? Behind = null)
{
    /// <summary>One-way propagation delay of the whole direction in nanoseconds, without jitter.</summary>
    public long DelayNs => Before.DelayNs + (Behind?.DelayNs ?? 0);
}
