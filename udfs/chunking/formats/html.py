"""HTML: canonical plain text with the structure of the page.

Why not a tree: the fastest HTML5 parser (lexbor) takes quadratic time on deep nesting and still leaves a walk over its
nodes; one pass over the tags with HTML5's rules for what ends what costs less, and is linear for every input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from udfs.chunking.formats.headings import sections
from udfs.chunking.formats.html_page import PageReader
from udfs.chunking.formats.html_source import Source, clean, split_source
from udfs.chunking.formats.html_writer import BlockRow
from udfs.chunking.formats.structure import Blocks, Converted, Structure

# Why text of the source can be missing in the canonical text. What `drop_boilerplate=False` keeps comes last.
REASONS = (
    "control",  # NUL, which HTML ignores
    "unfinished",  # a tag that the end of the text breaks off
    "comment",
    "script",  # with noscript
    "style",
    "head",  # the title, which is metadata
    "hidden",  # not shown by a browser: hidden, aria-hidden, display: none, template
    "form",  # controls
    "media",  # what stands in svg, video, iframe and their like
    "navigation",  # menus, breadcrumbs, skip links, links to themselves
    "header",  # of the page, not of an article
    "footer",
    "banner",  # cookie and consent banners, advertisements
)
_BOILERPLATE = REASONS[-4:]

# Less than this share of the text left, and the page says not what is its main content: all was content.
MIN_LEFT = 0.25

_METADATA = {
    "title": ("og:title", "dc.title", "dcterms.title", "twitter:title"),
    "description": ("description", "og:description", "dc.description", "twitter:description"),
    "author": ("author", "dc.creator", "dcterms.creator", "article:author"),
    "date": ("date", "article:published_time", "dc.date", "dcterms.date", "datepublished", "last-modified"),
    "language": ("content-language", "language", "dc.language", "og:locale"),
}


def read_html(source: str, *, drop_boilerplate: bool = True) -> Converted:
    r"""The canonical text of an HTML document, and its structure.

    Paragraphs stand apart by a blank line, headings on lines of their own; lists are `- item`
    or `1. item`, definitions `: text`, tables rows of `| cell | cell |` with a rule below the header;
    code stands as it is. Links and emphasis leave their text, images what they say instead of the picture.

    Args:
        source: any text; broken markup is read as browsers do.
        drop_boilerplate: leave out menus, headers and footers of the page, and cookie banners. If little would be
            left, and no `main` or `article` says what the content is, all is kept.

    Returns:
        The text, its structure (title, description, author, date and language as metadata), and the code
        points of text that were left out, by reason (one of `REASONS`; edges of white space are not counted).

    >>> page = read_html("<nav>Home</nav><h1>Soup</h1><p>Water <b>boils</b>.<ul><li>hot<li>cold</ul>")
    >>> page.text
    'Soup\n\nWater boils.\n\n- hot\n- cold'
    >>> page.structure.sections, page.removed
    ([Section(start=0, body=4, end=32, level=1, title='Soup')], {'navigation': 4})
    """
    tags = split_source(source)
    reader = PageReader(tags, drop=drop_boilerplate)
    reader.walk()
    if drop_boilerplate and not reader.mains and _too_little_left(reader):
        reader = PageReader(tags, drop=False)
        reader.walk()
    writer = reader.writer
    structure = Structure(
        sections=sections(writer.headings, writer.size),
        blocks=_blocks(writer.blocks),
        repeats=sorted(writer.repeats, key=lambda repeat: (repeat.start, -repeat.end)),
        metadata=_metadata(tags, reader),
    )
    removed: Counter[str] = tags.removed + reader.removed
    return Converted(
        text="".join(writer.parts),
        structure=structure,
        removed={reason: removed[reason] for reason in REASONS if removed[reason]},
    )


def _too_little_left(reader: PageReader) -> bool:
    dropped = sum(reader.removed[reason] for reason in _BOILERPLATE)
    return dropped > 0 and reader.writer.size < MIN_LEFT * (reader.writer.size + dropped)


def _blocks(rows: Sequence[BlockRow]) -> Blocks:
    ordered = sorted(rows, key=lambda row: (row.start, -row.end, row.order))
    return Blocks.of([(row.start, row.end, row.kind, row.cut) for row in ordered])


def _metadata(tags: Source, reader: PageReader) -> dict[str, str]:
    found = {
        name: next((reader.meta[source] for source in sources if source in reader.meta), "")
        for name, sources in _METADATA.items()
    }
    found["title"] = " ".join(clean(tags.title).split()) or found["title"]
    found["language"] = reader.language or found["language"]
    return {name: value for name, value in found.items() if value}
