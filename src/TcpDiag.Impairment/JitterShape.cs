namespace TcpDiag.Impairment;

/// <summary>How the jitter of a link is distributed.</summary>
public enum JitterShape
{
    /// <summary>Uniform from −amount to +amount.</summary>
    Uniform = 0,

    /// <summary>Normal with a standard deviation of amount, cut off at six of them.</summary>
    Normal = 1,

    /// <summary>Pareto (Lomax, shape 4): never negative, amount on average, now and then many times that.</summary>
    Pareto = 2,
}
