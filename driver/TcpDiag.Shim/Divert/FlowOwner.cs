namespace TcpDiag.Shim.Divert;

/// <summary>The process that has a flow.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name without path and <c>.exe</c>; null when it had gone before it could be asked.</param>
readonly record struct FlowOwner(int Id, string? Name);
