"""Draws terminal output as an SVG picture: terminal-svg.py "$ tcpdiag demo --recorded" < output > docs/images/demo.svg"""

import html
import sys

CHARACTER_WIDTH, LINE_HEIGHT, MARGIN, BAR = 8.4, 19, 16, 30


def main():
    lines = [sys.argv[1], *sys.stdin.read().rstrip("\n").split("\n")]
    width = max(map(len, lines)) * CHARACTER_WIDTH + 2 * MARGIN
    height = BAR + len(lines) * LINE_HEIGHT + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" role="img" aria-label="{html.escape(lines[0])}">')
    # Columns are made of spaces. Browsers go by the style, which a text element does not inherit, others by xml:space.
    print("<style>text { white-space: pre }</style>")
    print(f'<rect width="100%" height="100%" rx="8" fill="#16191d"/><rect width="100%" height="{BAR}" rx="8" fill="#2b3038"/>')
    for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        print(f'<circle cx="{20 + 18 * i}" cy="{BAR / 2}" r="6" fill="{colour}"/>')
    print('<g font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14" fill="#d7dce2" xml:space="preserve">')
    for i, line in enumerate(lines):
        colour = ' fill="#8fd18f"' if i == 0 else ""
        print(f'<text x="{MARGIN}" y="{BAR + MARGIN + (i + 0.75) * LINE_HEIGHT:.1f}"{colour}>{html.escape(line)}</text>')
    print("</g></svg>")


if __name__ == "__main__":
    main()
