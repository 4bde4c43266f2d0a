namespace TcpDiag.Capture.Linux.Native;

/// <summary>The error numbers we tell apart (errno(3)).</summary>
static class Errno
{
    public const int NotPermitted = 1;
    public const int NoEntry = 2;
    public const int Interrupted = 4;
    public const int TryAgain = 11;
    public const int AccessDenied = 13;
    public const int Busy = 16;
    public const int NoDevice = 19;
    public const int NotSupported = 95;
}
