using System.Collections.Generic;

namespace TcpDiag.Capture.Sessions;

/// <summary>How somebody else uses what a machine has one of, where no session tells of it.</summary>
/// <param name="What">A clause that names it.</param>
/// <param name="Runs">Whether it records; false for what is only set, such as filters.</param>
public sealed record OtherUse(string What, bool Runs)
{
    /// <summary>What is set, a line each as the program prints it, for people to set it again; none where it is not told.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];
}
