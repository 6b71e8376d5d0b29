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

    @pytest.mark.parametrize(
        ("text", "encoding"),
        [
            ("藤原,鈴木", "euc_jp"),
            ("藤原", "euc_jp"),
            ("1,鈴木,ユウト", "euc_jp"),
            ("李伟,王芳", "gbk"),
            ("김민수,이영희", "euc_kr"),
        ],
    )
    def test_pairs_of_bytes_alone_are_not_read(self, text: str, encoding: str) -> None:
        """Japanese, Chinese and Korean look the same."""
        assert decode_text(text.encode(encoding)) is None

    @pytest.mark.parametrize("name", ["Łukasz Kot", "Paweł Kot", "Jan Żak", "Gąska"])
    def test_polish_is_not_read_as_latin(self, name: str) -> None:
        assert decode_text(name.encode("cp1250")) is None

    @pytest.mark.parametrize("name", ["Jürgen", "Jörg", "André"])
    def test_nor_is_dos(self, name: str) -> None:
        assert decode_text(name.encode("cp850")) is None

    @pytest.mark.parametrize("text", ["髙橋", "1,髙橋,齋藤", "齋藤", "山田,齊藤"])
    def test_half_of_it_commoner_kanji(self, text: str) -> None:
        assert decode_text(text.encode("cp932")) == text

    @pytest.mark.parametrize(
        "text",
        [
            *("O’NEIL", "CONCEIÇÃO", "O’NEIL ½", "e4…e5 N×d5", "Müller†", "1º «A» £50", "Öö Töölö"),
            *("1,NÚÑEZ,PEREZ,1-0", "ZÚÑIGA, LUIS", "ÁLVAREZ", "ÖÄLTE"),
        ],
    )
    def test_signs_that_stand_in_latin_texts(self, text: str) -> None:
        assert decode_text(text.encode("cp1252")) == text

    @pytest.mark.parametrize("text", ["Aﾁｰﾑ", "ﾔﾏﾀﾞ ﾀﾛｳ", "Bｸﾗｽ", "ﾔﾏﾀﾞAB", "髙橋"])
    def test_half_width_katakana_beside_capitals(self, text: str) -> None:
        assert decode_text(text.encode("cp932")) == text

    @pytest.mark.parametrize(
        "data", [b"Jos\xc3\xa9,A\xe9B", "佐藤".encode() + b",\xff", b"M\xc3\xbcller,\xe9a"]
    )
    def test_two_encodings_in_one_text_are_not_read(self, data: bytes) -> None:
        assert decode_text(data) is None

    @pytest.mark.parametrize("text", ["藤原,鈴木", "大会\n1,山田,1-0\n"])
    def test_japanese_mail(self, text: str) -> None:
        assert decode_text(text.encode("iso2022_jp")) == text
        assert decode_text(text.encode("iso2022_jp") + b"\x1b$)C\x0e!!") is None

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp932", "cp1252"])
    def test_the_sign_that_ends_a_file_of_dos(self, encoding: str) -> None:
        assert decode_text("a,b\r\n\x1a".encode(encoding)) == "a,b\n"

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
