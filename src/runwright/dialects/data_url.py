"""Content that stands within a URL or beside it: `data:image/png;base64,...`."""

from __future__ import annotations

from runwright.trace.model import Source


def source_of_url(url: str) -> Source:
    """The source that a URL names: the content itself where it is a plain base64 data URL."""
    return _data_url(url) or Source(kind="url", data=url)


def source_of_data(data: str | None) -> Source:
    """The source of a file's data: a data URL or bare base64."""
    text = data or ""
    return _data_url(text) or Source(kind="base64", data=text)


def inline(source: Source) -> str:
    """The data URL of a base64 source, or its bare data where the media type is not known."""
    return source.data if source.media_type is None else f"data:{source.media_type};base64,{source.data}"


def _data_url(url: str) -> Source | None:
    """The source of a plain base64 data URL; any other spelling stays a URL, so that it returns as it came."""
    head, comma, data = url.partition(";base64,")
    media_type = head.removeprefix("data:")
    if not comma or media_type == head or not media_type:
        return None
    return Source(kind="base64", data=data, media_type=media_type)
