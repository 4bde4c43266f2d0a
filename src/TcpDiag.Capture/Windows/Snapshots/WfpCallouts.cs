using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Windows.Snapshots;

/// <summary>
/// Callouts of the filtering platform: drivers of firewalls, VPNs and security programs that inspect packets and streams, and may change them.
/// Read from the filtering engine itself (fwpuclnt), whose keys and layers are the same in every language.
/// </summary>
static unsafe partial class WfpCallouts
{
    const string Library = "fwpuclnt.dll";

    // RPC_C_AUTHN_WINNT
    const uint AuthenticateByNtlm = 10;

    // Each layer has some; a machine has a few hundred.
    const uint MaxCallouts = 4096;

    // FWPM_CALLOUT_FLAG_REGISTERED: a driver implements it.
    const uint RegisteredFlag = 0x0004_0000;

    /// <summary>Reads the facts.</summary>
    /// <returns>The facts of each callout that a driver has registered.</returns>
    /// <exception cref="CaptureException">The engine is not running, or refuses it.</exception>
    [SupportedOSPlatform("windows")]
    public static List<SnapshotFact> Read()
    {
        Require(Open(null, AuthenticateByNtlm, null, null, out nint engine), "open");
        nint list = 0;
        nint entries = 0;
        try
        {
            Require(CreateEnumeration(engine, null, out list), "list the callouts of");
            Require(Enumerate(engine, list, MaxCallouts, out entries, out uint count), "read the callouts of");
            return Facts(new ReadOnlySpan<nint>((void*)entries, (int)Math.Min(count, MaxCallouts)));
        }
        finally
        {
            if (entries != 0)
            {
                Free(ref entries);
            }

            _ = list == 0 ? 0 : DestroyEnumeration(engine, list);
            _ = Close(engine);
        }
    }

    /// <summary>The facts of callouts as the engine gives them.</summary>
    /// <param name="callouts">Pointers to FWPM_CALLOUT0.</param>
    /// <returns>Name, layer and number of each that is registered, by its key.</returns>
    internal static List<SnapshotFact> Facts(ReadOnlySpan<nint> callouts)
    {
        var facts = new List<SnapshotFact>();
        foreach (nint pointer in callouts)
        {
            var callout = (Callout*)pointer;
            if ((callout->Flags & RegisteredFlag) == 0)
            {
                continue;
            }

            string key = callout->Key.ToString("D");
            facts.Add(new(key, "name", new string(callout->Name)));
            facts.Add(new(key, "layer", callout->Layer.ToString("D")));
            facts.Add(new(key, "id", callout->Id.ToString(CultureInfo.InvariantCulture)));
        }

        return facts;
    }

    static void Require(uint error, string what)
    {
        if (error != 0)
        {
            throw new CaptureException(FormattableString.Invariant($"cannot {what} the filtering engine: error {error}."), (int)error);
        }
    }

    [LibraryImport(Library, EntryPoint = "FwpmEngineOpen0")]
    private static partial uint Open(char* server, uint authentication, void* identity, void* session, out nint engine);

    [LibraryImport(Library, EntryPoint = "FwpmEngineClose0")]
    private static partial uint Close(nint engine);

    [LibraryImport(Library, EntryPoint = "FwpmCalloutCreateEnumHandle0")]
    private static partial uint CreateEnumeration(nint engine, void* template, out nint list);

    [LibraryImport(Library, EntryPoint = "FwpmCalloutEnum0")]
    private static partial uint Enumerate(nint engine, nint list, uint wanted, out nint entries, out uint count);

    [LibraryImport(Library, EntryPoint = "FwpmCalloutDestroyEnumHandle0")]
    private static partial uint DestroyEnumeration(nint engine, nint list);

    [LibraryImport(Library, EntryPoint = "FwpmFreeMemory0")]
    private static partial void Free(ref nint memory);

    // FWPM_CALLOUT0 (fwpmtypes.h) of a 64-bit process.
    [StructLayout(LayoutKind.Explicit, Size = 88)]
    struct Callout
    {
        [FieldOffset(0)]
        public Guid Key;

        [FieldOffset(16)]
        public char* Name;

        [FieldOffset(32)]
        public uint Flags;

        [FieldOffset(64)]
        public Guid Layer;

        [FieldOffset(80)]
        public uint Id;
    }
}
