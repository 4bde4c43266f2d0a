using System;

namespace TcpDiag.Traces.Etl;

/// <summary>The class GUID that stands for a kernel record's group (docs/formats/etl.md, "Kernel groups").</summary>
static class EtlKernelGroups
{
    const byte Process = 3;
    const byte ImageLoad = 10;

    static readonly Guid Image = new("2cb15d1d-5fc1-11d2-abe1-00a0c911f518");

    static readonly Guid[] Classes = CreateClasses();

    /// <summary>The class of a kernel record.</summary>
    /// <param name="group">The header's group.</param>
    /// <param name="opcode">The header's type; group 3 logs image loads beside processes.</param>
    /// <returns>The GUID; empty for a group without a known class.</returns>
    internal static Guid ClassOf(byte group, byte opcode) => group == Process && opcode == ImageLoad ? Image : Classes[group];

    static Guid[] CreateClasses()
    {
        var classes = new Guid[256];
        classes[0] = new Guid("68fdd900-4a3e-11d1-84f4-0000f80464e3");
        classes[1] = new Guid("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c");
        classes[2] = new Guid("3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c");
        classes[Process] = new Guid("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
        classes[4] = new Guid("90cbdc39-4a3e-11d1-84f4-0000f80464e3");
        classes[5] = new Guid("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
        classes[6] = new Guid("9a280ac0-c8e0-11d1-84e2-00c04fb998a2");
        classes[8] = new Guid("bf3a50c5-a9c9-4988-a005-2df0b7c80f80");
        classes[9] = new Guid("ae53722e-c863-11d2-8659-00c04fa321a1");
        classes[11] = new Guid("01853a65-418f-4f36-aefc-dc0f1d2fd235");
        classes[15] = new Guid("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc");
        classes[20] = Image;
        classes[24] = new Guid("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3");
        return classes;
    }
}
