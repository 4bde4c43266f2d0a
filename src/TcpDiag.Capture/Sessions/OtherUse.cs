namespace TcpDiag.Capture.Sessions;

/// <summary>How somebody else uses what a machine has one of, where no session tells of it.</summary>
/// <param name="What">A clause that names it.</param>
/// <param name="Runs">Whether it records; false for what is only set, such as filters.</param>
public sealed record OtherUse(string What, bool Runs);
