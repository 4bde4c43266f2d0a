namespace TcpDiag.Report.Json;

/// <summary>A value for each state of a sender.</summary>
/// <param name="Application">The application gave no data.</param>
/// <param name="Idle">Nothing to send for long.</param>
/// <param name="SendBuffer">The send buffer was full.</param>
/// <param name="CongestionWindow">The congestion window was full.</param>
/// <param name="ReceiveWindow">The receive window was full.</param>
/// <param name="Pacing">Sends were spaced out.</param>
/// <param name="Recovery">Loss was being repaired.</param>
/// <param name="Timeout">A timeout was waited for.</param>
/// <param name="Reassembly">The receiver had no room for out-of-order data.</param>
public sealed record LimitStatesEntry(
    double Application,
    double Idle,
    double SendBuffer,
    double CongestionWindow,
    double ReceiveWindow,
    double Pacing,
    double Recovery,
    double Timeout,
    double Reassembly);
