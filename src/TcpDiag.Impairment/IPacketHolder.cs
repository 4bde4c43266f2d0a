namespace TcpDiag.Impairment;

/// <summary>Who keeps the bytes of packets under way; told when the number of packets sharing one handle changes.</summary>
public interface IPacketHolder
{
    /// <summary>A packet was duplicated: one more packet with this handle will leave.</summary>
    /// <param name="handle">The handle of <see cref="LinkPacket.Handle"/>.</param>
    void Retain(int handle);

    /// <summary>A packet was dropped: one packet less with this handle will leave.</summary>
    /// <param name="handle">The handle of <see cref="LinkPacket.Handle"/>.</param>
    void Release(int handle);
}
