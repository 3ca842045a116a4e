"""Drawings as SVG: text, boxes and lines in a palette for light or for dark pages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

__all__ = ["DARK", "LIGHT", "Drawing"]

LIGHT: Mapping[str, str] = {
    "ink": "#1c2024",
    "soft": "#5a636e",
    "line": "#b9c1ca",
    "fill": "#eef1f4",
    "Disease": "#0b7a56",
    "Chemical": "#b84a00",
    "good": "#0b7a56",
    "bad": "#b3261e",
    "mark": "#1558b0",
}
DARK: Mapping[str, str] = {
    "ink": "#e6e9ec",
    "soft": "#a4adb8",
    "line": "#4a535d",
    "fill": "#262c33",
    "Disease": "#35c797",
    "Chemical": "#ff9447",
    "good": "#35c797",
    "bad": "#ff8a80",
    "mark": "#7fb4ff",
}
SANS = "system-ui, 'Segoe UI', Roboto, Arial, sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


@dataclass
class Drawing:
    """A drawing that grows by parts; colours are names of the palette."""

    width: int
    height: int
    title: str
    palette: Mapping[str, str]
    parts: list[str] = field(default_factory=list)

    def text(
        self, x: float, y: float, text: str, *, colour: str = "ink", size: int = 14, anchor: str = "start"
    ) -> None:
        """Write a line of text; `y` is its base line."""
        style = f'font-family="{SANS}" font-size="{size}" text-anchor="{anchor}" fill="{self.palette[colour]}"'
        self.parts.append(f'<text x="{x:g}" y="{y:g}" {style}>{escape(text)}</text>')

    def letters(self, x: float, y: float, text: str, *, pitch: float, colour: str = "ink") -> None:
        """Write text whose characters stand at equal distances."""
        style = f'font-family="{MONO}" font-size="{pitch / 0.6:g}" fill="{self.palette[colour]}" xml:space="preserve"'
        length = f'textLength="{pitch * len(text):g}" lengthAdjust="spacingAndGlyphs"'
        self.parts.append(f'<text x="{x:g}" y="{y:g}" {style} {length}>{escape(text)}</text>')

    def box(self, x: float, y: float, width: float, height: float, *, colour: str = "line", tint: float = 0.0) -> None:
        """Draw a box with an edge of this colour, filled with a share of it."""
        fill = f'fill="{self.palette[colour]}" fill-opacity="{tint:g}" stroke="{self.palette[colour]}"'
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" {fill}/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, *, colour: str = "line", width: float = 1.5) -> None:
        """Draw a line."""
        style = f'stroke="{self.palette[colour]}" stroke-width="{width:g}"'
        self.parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" {style}/>')

    def dot(self, x: float, y: float, *, colour: str = "ink", radius: float = 5) -> None:
        """Draw a filled circle."""
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{self.palette[colour]}"/>')

    def as_svg(self) -> str:
        """Return the file; its title is read to people who do not see it."""
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(self.title)}">'
        return "\n".join([start, *self.parts, "</svg>", ""])
