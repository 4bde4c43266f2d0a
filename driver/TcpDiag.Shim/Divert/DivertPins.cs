namespace TcpDiag.Shim.Divert;

/// <summary>Which files of WinDivert may be loaded (driver/windivert/SHA256SUMS).</summary>
/// <param name="Library">SHA-256 of WinDivert.dll, in lower-case hexadecimal.</param>
/// <param name="Driver">SHA-256 of WinDivert64.sys.</param>
sealed record DivertPins(string Library, string Driver)
{
    /// <summary>WinDivert 2.2 for x64, as its author has built and signed it.</summary>
    public static DivertPins Release { get; } = new(
        "c1e060ee19444a259b2162f8af0f3fe8c4428a1c6f694dce20de194ac8d7d9a2",
        "8da085332782708d8767bcace5327a6ec7283c17cfb85e40b03cd2323a90ddc2");
}
