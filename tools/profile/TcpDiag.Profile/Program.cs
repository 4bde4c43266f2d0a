using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace TcpDiag.Profile;

/// <summary>
/// Makes the profile of a release from what the runtime has counted: <c>dotnet run -c Release --project tools/profile/TcpDiag.Profile -- OUT RECORD…</c>.
/// tools/profile/make-profile.sh does the whole; docs/decisions/0026 says what it is for.
/// </summary>
static class Program
{
    static int Main(string[] args)
    {
        if (args.Length < 2)
        {
            Console.Error.WriteLine("usage: TcpDiag.Profile OUTPUT-FILE RECORD-FILE...");
            return 2;
        }

        var finder = new MethodFinder();
        var profile = new ProfileWriter(finder);
        int written = 0;
        MethodCounters[] ran = [.. Sum(args[1..]).Where(counters => counters.Ran)];
        foreach (MethodCounters counters in ran.OrderBy(counters => counters.Method.ToString(), StringComparer.Ordinal))
        {
            if (finder.Find(counters.Method) is { } method)
            {
                profile.Add(method, counters.Counters);
                written++;
            }
        }

        profile.Save(args[0]);
        Console.WriteLine($"{args[0]}: {written} of {ran.Length} methods, {new FileInfo(args[0]).Length} bytes");
        return 0;
    }

    static Dictionary<MethodName, MethodCounters>.ValueCollection Sum(IEnumerable<string> records)
    {
        var sums = new Dictionary<MethodName, MethodCounters>();
        foreach (MethodCounters counters in records.SelectMany(RecordReader.Read).Where(counters => counters.Method.IsOwn))
        {
            sums[counters.Method] = sums.TryGetValue(counters.Method, out MethodCounters? sum) ? sum.Add(counters) : counters;
        }

        return sums.Values;
    }
}
