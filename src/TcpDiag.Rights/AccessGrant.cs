namespace TcpDiag.Rights;

/// <summary>Rights that a folder's access list of Windows gives to somebody.</summary>
/// <param name="Who">Security identifier, e.g. <c>S-1-5-32-545</c> for all users.</param>
/// <param name="Rights">Access mask (winnt.h, ACCESS_MASK).</param>
public readonly record struct AccessGrant(string Who, int Rights);
