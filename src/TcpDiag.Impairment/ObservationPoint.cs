namespace TcpDiag.Impairment;

/// <summary>Where on the emulated path a packet is seen; two captures of the same run are compared at two of these points.</summary>
public enum ObservationPoint
{
    /// <summary>Before any impairment.</summary>
    Ingress = 0,

    /// <summary>Between the two segments of the path: behind the impairments in front of it, before those behind it.</summary>
    Between = 1,

    /// <summary>After every impairment.</summary>
    Egress = 2,
}
