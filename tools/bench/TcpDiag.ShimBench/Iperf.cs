using System;
using System.Diagnostics;
using System.Text.Json;

namespace TcpDiag.ShimBench;

/// <summary>iperf3 in network namespaces.</summary>
static class Iperf
{
    const int Attempts = 3;

    /// <summary>What a client measured.</summary>
    /// <param name="BitsPerSecond">Goodput at the receiver where it tells, else at the sender.</param>
    /// <param name="Packets">Datagrams sent; 0 for TCP.</param>
    public sealed record Result(double BitsPerSecond, long Packets);

    /// <summary>Starts a server.</summary>
    public static Process Serve(string place) => Programs.Start("ip", "netns", "exec", place, "iperf3", "-s");

    /// <summary>Runs a client to its end. A server that has not finished with the client before refuses: then again.</summary>
    /// <exception cref="InvalidOperationException">It was refused several times.</exception>
    public static Result Run(string place, string address, string traffic)
    {
        string refusal = string.Empty;
        for (int attempt = 1; attempt <= Attempts; attempt++)
        {
            using Process client = Programs.Start("ip", ["netns", "exec", place, "iperf3", "-c", address, "-J", .. traffic.Split(' ')]);
            using JsonDocument document = JsonDocument.Parse(client.StandardOutput.ReadToEnd());
            client.WaitForExit();
            if (!document.RootElement.TryGetProperty("error", out JsonElement error))
            {
                return Read(document.RootElement.GetProperty("end"));
            }

            refusal = error.ToString();
        }

        throw new InvalidOperationException($"iperf3: {refusal}");
    }

    static Result Read(JsonElement end)
    {
        // UDP has "sum", TCP "sum_received".
        JsonElement sum = end.TryGetProperty("sum", out JsonElement datagrams) ? datagrams : end.GetProperty("sum_received");
        return new Result(sum.GetProperty("bits_per_second").GetDouble(), sum.TryGetProperty("packets", out JsonElement packets) ? packets.GetInt64() : 0);
    }
}
