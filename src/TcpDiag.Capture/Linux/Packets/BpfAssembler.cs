using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// Assembles a classic BPF program. A conditional jump reaches only 255 instructions, so every test here skips or
/// takes the unconditional jump that follows it, which reaches any later label; the kernel's JIT removes the detour.
/// </summary>
sealed class BpfAssembler
{
    // class | size | mode, linux/bpf_common.h
    const ushort LoadWord = 0x20;
    const ushort LoadHalf = 0x28;
    const ushort LoadByte = 0x30;
    const ushort LoadHalfIndexed = 0x48;
    const ushort And = 0x54;
    const ushort ShiftLeft = 0x64;
    const ushort ShiftRight = 0x74;
    const ushort Jump = 0x05;
    const ushort JumpEqual = 0x15;
    const ushort JumpGreater = 0x25;
    const ushort JumpGreaterOrEqual = 0x35;
    const ushort JumpSet = 0x45;
    const ushort Return = 0x06;
    const ushort CopyToIndex = 0x07;
    const ushort LoadIndexImmediate = 0x01;

    readonly List<BpfInstruction> _code = [];
    readonly List<(int Instruction, int Label)> _open = [];
    readonly List<int> _labels = [];

    /// <summary>Makes a label for a later instruction; <see cref="Mark"/> places it.</summary>
    public int NewLabel()
    {
        _labels.Add(-1);
        return _labels.Count - 1;
    }

    /// <summary>Places a label at the next instruction.</summary>
    public void Mark(int label) => _labels[label] = _code.Count;

    public void LoadWordAt(int offset) => Emit(LoadWord, unchecked((uint)offset));

    public void LoadHalfAt(int offset) => Emit(LoadHalf, unchecked((uint)offset));

    public void LoadByteAt(int offset) => Emit(LoadByte, unchecked((uint)offset));

    /// <summary>Loads 16 bits at the index register plus an offset.</summary>
    public void LoadHalfBehindIndex(int offset) => Emit(LoadHalfIndexed, unchecked((uint)offset));

    public void AndWith(uint mask) => Emit(And, mask);

    public void ShiftLeftBy(uint bits) => Emit(ShiftLeft, bits);

    public void ShiftRightBy(uint bits) => Emit(ShiftRight, bits);

    /// <summary>Copies the accumulator to the index register.</summary>
    public void SetIndex() => Emit(CopyToIndex, 0);

    public void SetIndexTo(uint value) => Emit(LoadIndexImmediate, value);

    public void Accept(uint bytes) => Emit(Return, bytes);

    public void GoTo(int label)
    {
        _open.Add((_code.Count, label));
        Emit(Jump, 0);
    }

    public void IfEqual(uint value, int label) => If(JumpEqual, value, label);

    public void IfNotEqual(uint value, int label) => IfNot(JumpEqual, value, label);

    public void IfAnyBit(uint bits, int label) => If(JumpSet, bits, label);

    public void IfBelow(uint value, int label) => IfNot(JumpGreaterOrEqual, value, label);

    public void IfNotAbove(uint value, int label) => IfNot(JumpGreater, value, label);

    public BpfInstruction[] Assemble()
    {
        BpfInstruction[] program = [.. _code];
        foreach ((int instruction, int label) in _open)
        {
            program[instruction] = program[instruction] with { Operand = checked((uint)(_labels[label] - instruction - 1)) };
        }

        return program;
    }

    void If(ushort test, uint value, int label)
    {
        _code.Add(new(test, 0, 1, value));
        GoTo(label);
    }

    void IfNot(ushort test, uint value, int label)
    {
        _code.Add(new(test, 1, 0, value));
        GoTo(label);
    }

    void Emit(ushort code, uint operand) => _code.Add(new(code, 0, 0, operand));
}

/// <summary>struct sock_filter: one instruction of the kernel's classic packet filter (Documentation/networking/filter.rst).</summary>
[StructLayout(LayoutKind.Sequential)]
readonly record struct BpfInstruction(ushort Code, byte JumpTrue, byte JumpFalse, uint Operand);
