using System;

namespace TcpDiag.Testing;

/// <summary>How long tests wait for what must come.</summary>
public static class Patience
{
    /// <summary>Far longer than anything takes, also on a machine that stands still for a while: only what never comes is missed.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);
}
