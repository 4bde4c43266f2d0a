namespace TcpDiag.Doctor.Answers;

/// <summary>How a transfer ended that was made to be recorded.</summary>
public enum TransferEnd
{
    /// <summary>All of it came, or none was made.</summary>
    Complete,

    /// <summary>This program ended it while data was still coming: enough was seen, or the limit was reached.</summary>
    CutShort,

    /// <summary>It failed: then something is wrong, whatever the recording shows.</summary>
    Failed,
}
