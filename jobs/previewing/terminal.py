"""A document with its chunks on a terminal, or in a pipe: readable with and without colours."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from jobs.drawing import Block, DrawnDocument, Stretch, bounded, pages_of
from jobs.previewing.subject import Figures, Subject
from jobs.screen import visible
from udfs.chunking import Chunk

# In turn, so that neighbours differ. The colours of the terminal itself suit its background.
_TINTS = ("cyan", "yellow", "green", "magenta", "bright_blue", "color(173)")

# Around what two chunks share, where there is no colour to show it.
_OPEN, _CLOSE = "\u27e6", "\u27e7"
_PLAIN_OPEN, _PLAIN_CLOSE = "[[", "]]"

_MOST_CHARACTERS = 200_000

_NARROWEST = 24


def print_subject(subject: Subject, limit: int, console: Console) -> int:
    """Print the chunks of a document, at most `limit` of them, and the figures of all.

    Returns:
        How many chunks were printed.
    """
    document = bounded(subject.document, limit, _MOST_CHARACTERS)
    blocks = document.blocks
    print_title(document, console)
    if any(len(stretch.chunks) > 1 for block in blocks for stretch in block.stretches):
        _print_legend(console)
    for block in blocks:
        console.print()
        _print_block(document, block, console)
    console.print()
    if document.left_out:
        console.print(f"... {document.left_out:,} more chunks; --limit shows more.", style="dim")
    print_figures(subject, console)
    return len(document.shown_chunks)


def print_title(document: DrawnDocument, console: Console) -> None:
    """Print what the document is, and what cuts it."""
    title = Text(visible(document.name), style="bold")
    by = document.strategy if document.profile == document.strategy else f"{document.profile}: {document.strategy}"
    how = f"  {by}, {document.limit:,} {document.unit}"
    title.append(visible(how), style="dim")
    console.print(title, soft_wrap=True)
    if document.why:
        console.print(Text(f"auto took {document.strategy}: {visible(document.why)}", style="dim"), soft_wrap=True)


def print_figures(subject: Subject, console: Console) -> None:
    """Print the figures of a document, and what is in no chunk."""
    figures = subject.figures
    noun = " chunk, " if figures.chunks == 1 else " chunks, "
    line = Text.assemble((f"{figures.chunks:,}", "bold"), noun, (f"{figures.tokens:,}", "bold"), " tokens")
    if figures.chunks:
        line.append(f"; in a chunk: mean {figures.mean:,.0f}, p50 {figures.p50:,.0f}, max {figures.most:,}")
    console.print(line)
    if figures.forced_cuts:
        console.print(Text(f"Forced cuts: {forced_line(figures)}", style="yellow"))
    if subject.removed:
        reasons = ", ".join(f"{visible(reason)} {count:,}" for reason, count in subject.removed.items())
        console.print(Text(f"In no chunk: {reasons} (characters)"), soft_wrap=True)


def forced_line(figures: Figures) -> str:
    """How many chunks end within a sentence, by kind.

    >>> forced_line(Figures(9, 9, 1.0, 1.0, 1.0, 1, {"word": 2}))
    '2 of 9 chunks end within a sentence (word 2)'
    """
    kinds = ", ".join(f"{cut} {count:,}" for cut, count in figures.forced.items())
    return f"{figures.forced_cuts:,} of {figures.chunks:,} chunks end within a sentence" + (f" ({kinds})" * bool(kinds))


def tint(index: int) -> str:
    """The colour of a chunk."""
    return _TINTS[index % len(_TINTS)]


def facts_of(document: DrawnDocument, chunk: Chunk) -> Text:
    """One line about a chunk: number, size, place, page, kind, cut."""
    size = f"{chunk.token_count:,} of {document.limit:,} tokens"
    if document.unit != "tokens":
        size = f"{document.used(chunk):,} of {document.limit:,} {document.unit}, {chunk.token_count:,} tokens"
    page = pages_of(chunk)
    parts = [size, f"{chunk.char_start:,}-{chunk.char_end:,}", f"page {page}" * bool(page), chunk.kind]
    if chunk.parent_index is not None:
        parts.append(f"parent {chunk.parent_index}")
    line = Text(f"{chunk.chunk_index}", style=f"bold {tint(chunk.chunk_index)}")
    line.append("  " + "  ".join(part for part in parts if part), style="not bold")
    line.append(f"  cut: {chunk.cut}", style="bold red" if document.is_forced(chunk) else "not bold")
    if chunk.oversize:
        line.append("  oversize", style="bold red")
    return line


def _print_legend(console: Console) -> None:
    marked = "reversed" if _has_colours(console) else "in {} {}".format(*_brackets(console))
    console.print(Text(f"What is {marked} is in the chunk before, too.", style="dim"))


def _print_block(document: DrawnDocument, block: Block, console: Console) -> None:
    chunk = block.chunk
    if chunk is None:
        console.print(Text("in no chunk", style="dim"))
        _print_lines(_text_of(block, console), ": ", "dim", console)
        return
    bar = tint(chunk.chunk_index)
    if block.section:
        section = " > ".join(map(visible, block.section))
        _print_lines(Text(section, style="bold"), "", "", console)
    console.print(facts_of(document, chunk))
    if block.context:
        _print_lines(Text(block.context.expandtabs(4), style="dim italic"), ": ", "dim", console)
    _print_lines(_text_of(block, console), "| " if console.options.ascii_only else "\u2502 ", bar, console)


def _text_of(block: Block, console: Console) -> Text:
    text = Text()
    for stretch in block.stretches:
        text.append_text(_stretch(stretch, None if _has_colours(console) else _brackets(console)))
    if block.left_out:
        text.append(f" ... {block.left_out:,} more characters", style="dim")
    return text


def _stretch(stretch: Stretch, brackets: tuple[str, str] | None) -> Text:
    """A stretch in the colour of its chunk; a shared one in that of the earlier, reversed or in brackets."""
    shown = stretch.shown.expandtabs(4)
    if stretch.text is None:
        return Text("\n...\n", style="dim")
    if not stretch.chunks:
        return Text(shown, style="dim")
    if len(stretch.chunks) == 1:
        return Text(shown, style=tint(stretch.chunks[0]))
    style = f"{tint(stretch.chunks[0])} reverse"
    return Text(shown if brackets is None else shown.join(brackets), style=style)


def _print_lines(text: Text, margin: str, style: str, console: Console) -> None:
    """The text in lines, each behind the margin: such as fit a terminal; in a pipe, those of the document."""
    width = max(_NARROWEST, console.width - len(margin) - 1)
    lines = text.wrap(console, width) if console.is_terminal else text.split("\n", allow_blank=True)
    whole = Text()
    for place, line in enumerate(lines):
        whole.append("\n" * bool(place))
        whole.append(margin, style)
        whole.append_text(line)
    console.print(whole, soft_wrap=True)


def _brackets(console: Console) -> tuple[str, str]:
    return (_PLAIN_OPEN, _PLAIN_CLOSE) if console.options.ascii_only else (_OPEN, _CLOSE)


def _has_colours(console: Console) -> bool:
    return console.color_system is not None and not console.no_color
