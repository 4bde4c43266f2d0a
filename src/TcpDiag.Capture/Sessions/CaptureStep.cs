namespace TcpDiag.Capture.Sessions;

/// <summary>
/// How far a recording has come. Each step is in the journal before what it names begins, so that a journal tells after
/// a crash what may have been done and what has not.
/// </summary>
public enum CaptureStep
{
    /// <summary>The folder is there; nothing on the machine has changed.</summary>
    Prepared,

    /// <summary>The programs that start the recording may have run.</summary>
    Starting,

    /// <summary>The recording runs.</summary>
    Recording,

    /// <summary>The programs that stop it may have run.</summary>
    Stopping,

    /// <summary>Nothing runs any more; the trace lies in the folder.</summary>
    Stopped,

    /// <summary>The result is being put together under its temporary name.</summary>
    Collecting,

    /// <summary>The result has its name; the folder can go.</summary>
    Collected,
}
