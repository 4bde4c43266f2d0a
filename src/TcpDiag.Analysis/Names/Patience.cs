namespace TcpDiag.Analysis.Names;

/// <summary>How long resolvers wait for the answer to one query before they ask again or give up.</summary>
/// <param name="Least">The shortest wait, nanoseconds.</param>
/// <param name="Most">The longest wait, nanoseconds, a tenth for what delays a program among it.</param>
readonly record struct Patience(long Least, long Most)
{
    const long Millisecond = 1_000_000;

    /// <summary>The patience of those who ask a service.</summary>
    /// <param name="service">Its UDP port.</param>
    /// <returns>Their waits.</returns>
    public static Patience Of(int service) => service switch
    {
        NameTable.DnsPort => new(1000 * Millisecond, 5500 * Millisecond), // Windows asks again after 1, 1, 2 and 4 s; resolv.conf(5): 5 s
        NameTable.NetBiosPort => new(250 * Millisecond, 2000 * Millisecond), // RFC 1002 §6: BCAST_REQ_RETRY_TIMEOUT; Windows: 0.75 s, 1.5 s of a name server
        NameTable.MulticastDnsPort => new(1000 * Millisecond, 5500 * Millisecond), // RFC 6762 §5.2
        _ => new(100 * Millisecond, 1100 * Millisecond), // RFC 4795 §7: LLMNR_TIMEOUT; Windows less
    };
}
