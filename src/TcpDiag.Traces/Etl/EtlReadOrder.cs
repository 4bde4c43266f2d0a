namespace TcpDiag.Traces.Etl;

/// <summary>The order in which the records of an .etl file are read.</summary>
public enum EtlReadOrder
{
    /// <summary>As they stand in the file: buffer by buffer, in the order the buffers were flushed.</summary>
    File,

    /// <summary>By time stamp; of equal ones the lower buffer sequence number, then the file position, comes first.</summary>
    Time,
}
