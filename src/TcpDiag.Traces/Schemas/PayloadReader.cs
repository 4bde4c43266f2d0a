using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Walks the fields of a payload without allocating (docs/formats/etl.md, "Payloads"):
/// <code>
/// var reader = new PayloadReader(schema, payload, is64Bit);
/// while (reader.TryRead(out PayloadField field)) { … }
/// </code>
/// A payload that ends before its fields leaves the remaining ones out; one that goes on after them has
/// <see cref="Extra"/>. Neither fails: an older or a newer writer made it.
/// </summary>
public ref struct PayloadReader
{
    // Struct in struct in struct …: real schemas have at most two levels.
    internal const int MaxDepth = 8;

    // A value, the start and the end of a struct for each byte: more comes only from structs of members without bytes.
    const int StepsPerItem = 4;

    readonly ReadOnlySpan<FieldSchema> _fields;
    readonly ReadOnlySpan<byte> _payload;
    readonly bool _is64Bit;
    ReadOnlySpan<byte> _rest;
    int _next;
    int _depth;
    int _steps;
    Numbers _numbers;
    Frames _frames;

    /// <summary>Starts before the first field.</summary>
    /// <param name="schema">The layout.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="is64Bit">Whether pointers take 8 bytes: the record's bitness, not the file's.</param>
    public PayloadReader(EventSchema schema, ReadOnlySpan<byte> payload, bool is64Bit)
    {
        _fields = schema.Fields;
        _payload = payload;
        _rest = payload;
        _is64Bit = is64Bit;
        _steps = StepsPerItem * (payload.Length + schema.Fields.Length + 1);
    }

    /// <summary>What is left after the last field read.</summary>
    public readonly ReadOnlySpan<byte> Extra => _rest;

    /// <summary>Whether the payload ended, or could not be followed, before its fields did.</summary>
    public bool IsCut { get; private set; }

    /// <summary>Reads the next field.</summary>
    /// <param name="field">The field; a view on the payload.</param>
    /// <returns>False after the last field that is there.</returns>
    public bool TryRead(out PayloadField field)
    {
        do
        {
            field = default;
            IsCut |= --_steps < 0;
            if (IsCut)
            {
                return false;
            }

            if (_depth > 0 && _next == _frames[_depth - 1].End)
            {
                EndElement(out field);
                return true;
            }

            if (_next >= _fields.Length)
            {
                return false;
            }

            IsCut = !(_fields[_next].InType == InType.Struct ? TryBeginStruct(out field) : TryReadValue(out field));
        }
        while (!IsCut && field is { Kind: PayloadFieldKind.StructStart, Count: 0 });
        return !IsCut;
    }

    bool TryReadValue(out PayloadField field)
    {
        FieldSchema schema = Begin(_fields[_next], _depth, out field);
        ReadOnlySpan<byte> start = _rest;
        int count = 1;
        ReadOnlySpan<byte> data = default;
        bool isRead = schema.IsArray
            ? TryReadArray(schema, out count, out data)
            : TryResolve(schema.Length, out int length) && PayloadElements.TryTake(schema.InType, length, _is64Bit, ref _rest, out data);
        if (!isRead)
        {
            _rest = start;
            return false;
        }

        field.Count = count;
        field.Data = data;
        field.Offset = _payload.Length - start.Length;
        if (schema.Slot != 0 && PayloadField.TryReadInteger(schema, field.Data, out long number))
        {
            _numbers[schema.Slot - 1] = (int)Math.Clamp(number, 0, int.MaxValue);
        }

        _next++;
        return true;
    }

    readonly FieldSchema Begin(FieldSchema schema, int depth, out PayloadField field)
    {
        field = default;
        field.Schema = schema;
        field.Depth = depth;
        field.Is64Bit = _is64Bit;
        field.Offset = _payload.Length - _rest.Length;
        return schema;
    }

    bool TryReadArray(FieldSchema schema, out int count, out ReadOnlySpan<byte> data)
    {
        data = default;
        if (!TryResolve(schema.Count, out count) || !TryResolve(schema.Length, out int length))
        {
            return false;
        }

        ReadOnlySpan<byte> start = _rest;
        int size = InTypes.FixedSize(schema.InType, _is64Bit);
        if (size > 0)
        {
            if ((long)count * size > start.Length)
            {
                return false;
            }

            _rest = start[(count * size)..];
        }

        // Elements without a length of their own are not counted beyond the bytes there are: a hostile count ends soon.
        for (int i = 0; size == 0 && i < count; i++)
        {
            if (_rest.IsEmpty || !PayloadElements.TryTake(schema.InType, length, _is64Bit, ref _rest, out _))
            {
                return false;
            }
        }

        data = start[..(start.Length - _rest.Length)];
        return true;
    }

    bool TryBeginStruct(out PayloadField field)
    {
        FieldSchema schema = Begin(_fields[_next], _depth, out field);
        if (!TryResolve(schema.Count, out int count))
        {
            return false;
        }

        count = schema.IsArray ? count : 1;
        int end = Math.Min(_next + 1 + schema.MemberCount, _fields.Length);
        field.Kind = PayloadFieldKind.StructStart;
        field.Count = count;
        if (count == 0)
        {
            _next = end;
            return true;
        }

        // Members that the schema lost cannot be stepped over.
        if (schema.MemberCount == 0 || _depth == MaxDepth)
        {
            return false;
        }

        _frames[_depth++] = new Frame(_next, end, count, Element: 0, _rest.Length);
        _next++;
        return true;
    }

    // Ends an element of a struct; the next one begins with the next call, through the struct's own field.
    void EndElement(out PayloadField field)
    {
        ref Frame frame = ref _frames[_depth - 1];
        Begin(_fields[frame.Struct], _depth - 1, out field);
        field.Count = frame.Count;
        field.Element = frame.Element;
        if (frame.IsRestarting)
        {
            field.Kind = PayloadFieldKind.StructStart;
            frame = frame with { IsRestarting = false };
            _next = frame.Struct + 1;
            return;
        }

        field.Kind = PayloadFieldKind.StructEnd;
        bool isStuck = frame.RestAtStart == _rest.Length;
        if (frame.Element + 1 < frame.Count && !isStuck)
        {
            frame = frame with { Element = frame.Element + 1, RestAtStart = _rest.Length, IsRestarting = true };
            return;
        }

        field.IsLastElement = true;
        _depth--;
    }

    bool TryResolve(FieldLength length, out int number)
    {
        number = PayloadElements.NoLength;
        switch (length.Source)
        {
            case FieldLengthSource.None:
                return true;
            case FieldLengthSource.Constant:
                number = length.Value;
                return true;
            case FieldLengthSource.Prefix:
                return TryReadPrefix(out number);
            default:
                return TryReadNumber(length.Value, out number);
        }
    }

    bool TryReadPrefix(out int number)
    {
        bool isThere = _rest.Length >= sizeof(ushort);
        number = isThere ? BinaryPrimitives.ReadUInt16LittleEndian(_rest) : 0;
        _rest = _rest[(isThere ? sizeof(ushort) : 0)..];
        return isThere;
    }

    readonly bool TryReadNumber(int index, out int number)
    {
        bool isKnown = (uint)index < (uint)_next && _fields[index].Slot != 0;
        number = isKnown ? _numbers[_fields[index].Slot - 1] : 0;
        return isKnown;
    }

    [InlineArray(EventSchema.MaxSlots)]
    struct Numbers
    {
        int _first;
    }

    [InlineArray(MaxDepth)]
    struct Frames
    {
        Frame _first;
    }

    /// <summary>A struct being read.</summary>
    /// <param name="Struct">Index of its field.</param>
    /// <param name="End">Index after its last member.</param>
    /// <param name="Count">Elements in all.</param>
    /// <param name="Element">The element being read.</param>
    /// <param name="RestAtStart">Bytes left where the element began.</param>
    readonly record struct Frame(int Struct, int End, int Count, int Element, int RestAtStart)
    {
        /// <summary>Whether the start of the next element comes next.</summary>
        public bool IsRestarting { get; init; }
    }
}
