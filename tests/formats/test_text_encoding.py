"""Text in the encodings in which it comes."""

from __future__ import annotations

import pytest

from banzuke.formats.files.text import decode_beginning, decode_text


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

    @pytest.mark.parametrize(
        ("text", "encoding"),
        [
            ("Иванов Пётр, Сидорова Анна", "cp1251"),
            ("иванов пётр, сидорова анна", "iso8859-5"),
            ("Παπαδόπουλος Γιώργος", "cp1253"),
            ('[White "Смирнов"]\n[Black "Волкова"]', "cp1251"),
        ],
    )
    def test_other_alphabets_are_not_read_as_latin(self, text: str, encoding: str) -> None:
        assert decode_text(text.encode(encoding)) is None
        assert decode_text(text.encode()) == text

    def test_one_odd_word_is_latin_still(self) -> None:
        assert decode_text("Müller, Äöüß".encode("cp1252")) == "Müller, Äöüß"

    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_a_damaged_text_is_not_read_as_another(self, mark: bytes) -> None:
        text = mark + "J001,FUJIWARA Yuto,藤原 悠斗\n".encode()
        assert decode_text(text) is not None
        assert decode_text(text + b"J102,M\xfcller Jan,") is None
        assert decode_text(text[:-2]) is None

    def test_a_beginning_ends_with_a_line(self) -> None:
        text = "ラウンド,白番,黒番,結果\n1,藤原,高橋,1-0\n"
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp932"):
            data = text.encode(encoding)
            for most in range(40, len(data) + 4):
                assert (
                    decode_beginning(data, most) in (text, text.split("\n", maxsplit=1)[0] + "\n")
                    or encoding == "utf-16"
                )
        assert decode_beginning("藤原".encode() * 9, 10) == ""

    def test_what_is_no_text(self) -> None:
        assert decode_text(b"012 \0") is None
