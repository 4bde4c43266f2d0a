namespace TcpDiag.Shim.Divert;

/// <summary>An error of the driver in words.</summary>
/// <param name="Code">The Win32 error code.</param>
/// <param name="Meaning">What it means here, without a full stop.</param>
/// <param name="Cure">What helps, in whole sentences.</param>
public sealed record DivertErrorText(int Code, string Meaning, string Cure);
