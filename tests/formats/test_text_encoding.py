"""Text in the encodings in which it comes."""

from __future__ import annotations

import pytest

from banzuke.formats.files.text import decode_text


class TestDecoded:
    @pytest.mark.parametrize(
        "text", ["山田 太郎", "Aクラス", "男,女,白,黒", "ﾔﾏﾀﾞ", "第3回", "大会a", "グランプリ"]
    )
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
    def test_japanese(self, encoding: str, text: str) -> None:
        assert decode_text(text.encode(encoding)) == text

    @pytest.mark.parametrize("text", ["Müller, Jörg", "Šimek, Ondřej", "Žižka", "O’Neil", "Šarić", "½ – ½"])
    def test_latin(self, text: str) -> None:
        windows = text.replace("ř", "r").replace("ć", "c")
        assert decode_text(windows.encode("cp1252")) == windows
        assert decode_text(text.encode()) == text

    def test_what_is_no_text(self) -> None:
        assert decode_text(b"012 \0") is None
