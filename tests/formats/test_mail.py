"""E-mails opened: senders, days, attachments with Japanese names, links, and broken ones."""

from __future__ import annotations

import base64
from datetime import UTC, date, timedelta, timezone
from email.header import Header
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.files.mail import looks_like, read
from banzuke.words import LANGUAGES, catalogue, fault_line

if TYPE_CHECKING:
    import random

TRF = b"012 Cup\r\n001    1      A\r\n"
HEAD = "From: Sato <sato@example.jp>\nDate: Sun, 12 Oct 2025 18:00:00 +0900\n"


def mail(body: str = "hello", **headers: str) -> EmailMessage:
    message = EmailMessage()
    known = {
        "From": "Sato Keiko <sato@example.jp>",
        "Date": "Sun, 12 Oct 2025 18:00:00 +0900",
        "Subject": "Open",
    }
    for name, said in (known | headers).items():
        message[name] = said
    message.set_content(body)
    return message


def with_file(name: str = "open.trf", data: bytes = TRF, subtype: str = "octet-stream") -> EmailMessage:
    message = mail()
    message.add_attachment(data, maintype="application", subtype=subtype, filename=name)
    return message


def raw(headers: str, body: str = "hello\n") -> bytes:
    return (HEAD + headers + "\n" + body).encode()


def attached(disposition: str, kind: str = "application/octet-stream", content: str = "") -> bytes:
    content = content or base64.b64encode(TRF).decode()
    return raw(
        'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n',
        f"--b\nContent-Type: text/plain\n\nhello\n--b\nContent-Type: {kind}\n"
        f"Content-Transfer-Encoding: base64\n{disposition}\n{content}\n--b--\n",
    )


def names(data: bytes) -> list[str]:
    return [name for name, _ in read(data, "x.eml").attachments]


def codes(data: bytes) -> list[tuple[str, int, str, str]]:
    return [(f.file, f.line, f.column, f.code) for f in read(data, "x.eml").faults]


class TestSenderAndDay:
    def test_a_mail(self):
        found = read(bytes(mail()), "x.eml")
        assert found == ("Sato Keiko", "sato@example.jp", date(2025, 10, 12), "Open", (), (), ())

    @pytest.mark.parametrize("bracket", "(<[:")
    def test_of_a_thousand_brackets_there_is_none(self, bracket):
        data = bytes(with_file()).replace(b"From: Sato", b"From: " + bracket.encode() * 4_900)
        found = read(data, "x.eml")
        assert found.received == date(2025, 10, 12)
        assert [name for name, _ in found.attachments] == ["open.trf"]

    def test_the_topmost_stamp_decides(self):
        received = "Received: from a by b;\n Tue, 14 Oct 2025 10:00:00 +0900\nReceived: c; Mon, 13 Oct 2025 01:00 +0900\n"
        assert read(raw(received), "x").received == date(2025, 10, 14)

    def test_one_that_cannot_be_read_does_not(self):
        received = "Received: from a by b; yesterday\nReceived: c; Mon, 13 Oct 2025 09:00:00 +0900 (JST)\n"
        assert read(raw(received), "x").received == date(2025, 10, 13)
        assert read(raw("Received: from a by b\n"), "x").received == date(2025, 10, 12)

    @pytest.mark.parametrize(
        ("stamp", "zone", "day"),
        [
            ("Sun, 12 Oct 2025 16:00:00 +0000", None, date(2025, 10, 13)),
            ("Sun, 12 Oct 2025 16:00:00 -0000", None, date(2025, 10, 13)),
            ("Sun, 12 Oct 2025 14:59:59 GMT", None, date(2025, 10, 12)),
            ("Sun, 12 Oct 2025 16:00:00 +0000", UTC, date(2025, 10, 12)),
            ("Mon, 13 Oct 2025 05:00:00 +0900", timezone(timedelta(hours=-5)), date(2025, 10, 12)),
        ],
    )
    def test_the_day_is_the_offices(self, stamp, zone, day):
        data = raw(f"Received: x; {stamp}\n")
        assert (read(data, "x", zone) if zone else read(data, "x")).received == day

    @pytest.mark.parametrize(
        "stamp",
        [
            "",
            "soon",
            "Sun, 99 Oct 2025 18:00:00 +0900",
            "Fri, 31 Dec 9999 23:59:59 -0900",
        ],
    )
    def test_no_day(self, stamp):
        data = f"From: a@b.c\nSubject: x\nDate: {stamp}\n\nhello\n".encode()
        assert (read(data, "x.eml").received, codes(data)) == (None, [])

    @pytest.mark.parametrize("charset", ["utf-8", "iso-2022-jp", "cp932", "euc-jp"])
    def test_encoded_names(self, charset):
        name = Header("佐藤 恵子", charset).encode()
        subject = Header("第１回オープン戦の結果報告です。よろしくお願いします。" * 2, charset).encode()
        found = read(f"From: {name} <a@b.c>\nSubject: {subject}\nDate: x\n\n".encode(), "x")
        assert (found.sender_name, found.sender_address) == ("佐藤 恵子", "a@b.c")
        assert found.subject == "第１回オープン戦の結果報告です。よろしくお願いします。" * 2

    @pytest.mark.parametrize("said", ["a@b.c", '"a@b.c" <a@b.c>', "=?utf-8?q?a=40b=2Ec?= <a@b.c>"])
    def test_an_address_is_no_name(self, said):
        found = read(f"From: {said}\nDate: x\n\n".encode(), "x")
        assert (found.sender_name, found.sender_address) == ("", "a@b.c")

    @pytest.mark.parametrize("charset", ["utf-8", "cp932"])
    def test_names_as_bare_bytes(self, charset):
        found = read("From: 佐藤 恵子 <a@b.c>\nSubject: 結果の報告です\n\n".encode(charset), "x")
        assert (found.sender_name, found.subject) == ("佐藤 恵子", "結果の報告です")

    def test_signs_of_windows_in_jis(self):
        word = base64.b64encode(b"\x1b$B-!9p|b\x1b(B.trf").decode()
        assert read(raw(f"Subject: =?ISO-2022-JP?B?{word}?=\n"), "x").subject == "①告髙.trf"


class TestAttachments:
    def test_a_file(self):
        found = read(bytes(with_file()), "x.eml")
        assert (found.attachments, found.faults) == ((("open.trf", TRF),), ())

    @pytest.mark.parametrize("name", ["結果 報告.xlsx", "大会" * 30 + ".trf", 'a;b"c.csv', "ü.trf"])
    def test_names_by_rfc_2231(self, name):
        assert names(bytes(with_file(name))) == [name]

    @pytest.mark.parametrize(
        ("disposition", "name"),
        [
            (
                'Content-Disposition: attachment; filename="=?ISO-2022-JP?B?GyRCN2syTBsoQi50cmY=?="\n',
                "結果.trf",
            ),
            (
                "Content-Disposition: attachment; filename=\n =?utf-8?Q?=E7=B5=90?=\n =?utf-8?Q?=E6=9E=9C.trf?=\n",
                "結果.trf",
            ),
            ("Content-Disposition: attachment; filename*=iso-2022-jp''%1B$B7k2L%1B%28B.trf\n", "結果.trf"),
            (
                "Content-Disposition: attachment; filename*0*=utf-8''%E7%B5;\n filename*1*=%90%E6%9E%9C.trf\n",
                "結果.trf",
            ),
            ("Content-Disposition: attachment; filename*=no-such''%E7%B5%90.trf\n", "結.trf"),
            ('Content-Disposition: attachment; filename="結果.trf"\n', "結果.trf"),
            ('Content-Disposition: inline; filename="C:\\\\r\\\\..\\\\a.trf"\n', "a.trf"),
            ('Content-Disposition: attachment; filename="../../etc/a\u202e\x01.trf"\n', "a.trf"),
            ('Content-Disposition: attachment; filename="=?utf-8?B?!?="\n', "part-2"),
            ("", "part-2"),
        ],
    )
    def test_names_as_programs_write_them(self, disposition, name):
        assert read(attached(disposition), "x").attachments == ((name, TRF),)

    def test_names_of_the_type(self):
        assert names(attached("", 'text/plain; name="a.trf"')) == ["a.trf"]

    def test_bare_cp932_names(self):
        data = (
            attached('Content-Disposition: attachment; filename="結果の報告.trf"\n').decode().encode("cp932")
        )
        assert names(data) == ["結果の報告.trf"]

    def test_text_that_is_attached(self):
        assert names(attached("Content-Disposition: attachment\n", "text/plain")) == ["part-2"]
        assert names(attached("", "text/plain")) == []

    def test_those_of_a_mail_within(self):
        outer = mail(Date="Mon, 20 Oct 2025 18:00:00 +0900", From="Office <o@b.c>")
        outer.add_attachment(with_file())
        found = read(bytes(outer), "x")
        assert (found.received, found.sender_name) == (date(2025, 10, 20), "Office")
        assert found.attachments == (("open.trf", TRF),)

    def test_packed_files_are_not_opened(self):
        assert read(bytes(with_file("a.zip", b"PK\x03\x04")), "x").attachments == (("a.zip", b"PK\x03\x04"),)


class TestLinks:
    @pytest.mark.parametrize(
        "text",
        [
            "https://chess-results.com/tnr1452107.aspx?lan=1&art=1",
            "see http://s2.chess-results.com/Tnr1452107.aspx.",
            "（chess-results.com/tnr1452107.aspx）",
            "https://safe.example/?url=https%3A%2F%2Fchess-results.com%2Ftnr1452107.aspx%3Flan",
            "https://chess-results.com/fed.aspx?tnr=1452107",
            "x " * 60
            + "https://chess-results.com/tnr1452107.aspx?lan=1&art=4&turdet=YES&flag=30&SNode=S0" * 2,
        ],
    )
    def test_in_text(self, text):
        assert read(bytes(mail(text)), "x").links == ("tnr1452107",)

    @pytest.mark.parametrize("cte", ["quoted-printable", "base64", "7bit"])
    def test_in_html(self, cte):
        message = mail()
        page = '<p><a\nhref="https://chess-results.com&#47;tnr12.aspx?lan=1&amp;art=1">here</a></p>'
        message.set_content(page, subtype="html", cte=cte)
        assert read(bytes(message), "x").links == ("tnr12",)

    def test_each_once_in_order(self):
        message = mail("chess-results.com/tnr7.aspx chess-results.com/tnr5.aspx chess-results.com/tnr7.aspx")
        message.add_alternative("<a href='http://chess-results.com/tnr5.aspx'>", subtype="html")
        assert read(bytes(message), "x").links == ("tnr7", "tnr5")

    @pytest.mark.parametrize(
        "text",
        [
            "https://notchess-results.com/tnr5.aspx",
            "chess-results.com/",
            "chess-results.com/tnr0.aspx",
            "https://example.com/tnr5.aspx",
            "chess-results.com/tnr" + "9" * 5000,
        ],
    )
    def test_others_are_none(self, text):
        message = mail()
        message.set_content(text, cte="8bit")
        assert read(bytes(message), "x").links == ()

    def test_in_japanese_mail(self):
        message = MIMEText(
            "結果はこちらです。https://chess-results.com/tnr77.aspx です。", "plain", "iso-2022-jp"
        )
        message["From"], message["Date"] = "a@b.c", "Sun, 12 Oct 2025 18:00:00 +0900"
        assert read(bytes(message), "x").links == ("tnr77",)

    def test_not_in_attachments(self):
        assert read(bytes(with_file("a.html", b"chess-results.com/tnr5.aspx")), "x").links == ()


def nested(depth: int) -> bytes:
    part = MIMEText("x")
    for _ in range(depth):
        outer = MIMEMultipart()
        outer.attach(part)
        part = outer
    return HEAD.encode() + bytes(part)


class TestFaults:
    def test_no_mail(self):
        for data in (b"", b"hello", b"From: x\n", b'[Event "x"]\n', b"\0" * 99, b"PK\x03\x04"):
            assert codes(data) == [("x.eml", 0, "", "mail-no-mail")]

    def test_too_large(self):
        assert codes(nested(10)) == []
        many = raw(
            'Content-Type: multipart/mixed; boundary="b"\n', "--b\nContent-Type: text/plain\n\nx\n" * 300
        )
        for data in (nested(30), many, raw("", "\n" * 500_001), raw("Content-Type: message/rfc822\n\n" * 40)):
            assert codes(data) == [("x.eml", 0, "", "mail-too-large")]

    def test_broken(self):
        parameters = "multipart/mixed; boundary*; boundary*1*=b"
        assert codes(raw(f"Content-Type: {parameters}\n")) == [("x.eml", 0, "Content-Type", "mail-broken")]

    def test_a_broken_name_is_none(self):
        assert names(attached("Content-Disposition: attachment; filename*; filename*1*=b\n")) == ["part-2"]

    def test_cut_off(self):
        data = bytes(with_file(data=TRF * 50))
        assert codes(data[:-400]) == [("x.eml", 0, "", "mail-cut-off")]
        assert codes(raw('Content-Type: multipart/mixed; boundary="b"\n')) == [
            ("x.eml", 0, "", "mail-cut-off")
        ]

    def test_winmail(self):
        for data in (
            with_file("winmail.dat"),
            with_file("WINMAIL.DAT"),
            with_file("a.bin", subtype="ms-tnef"),
        ):
            assert [code for *_, code in codes(bytes(data))] == ["mail-winmail"]
            assert read(bytes(data), "x").attachments == ()

    def test_damaged(self):
        for content in ("QUJD*UQ=", "QUJDR"):
            data = attached('Content-Disposition: attachment; filename="a.trf"\n', content=content)
            assert (codes(data), names(data)) == ([("x.eml", 0, "a.trf", "mail-damaged")], [])

    def test_every_code_can_be_said(self):
        cases = [b"", nested(30), bytes(with_file("winmail.dat"))[:-9], raw("")[:20], b"From: a\nTo: b\n\n"]
        cases += [attached("", content="QUJDR"), raw("Content-Type: multipart/x; boundary*; boundary*1*=b\n")]
        faults = [f for data in cases for f in read(data, "x.eml").faults]
        assert {f.code for f in faults} == set(catalogue("faults/mail"))
        for one in faults:
            assert all("{" not in fault_line(one, lang) for lang in LANGUAGES)


class TestFilesInTheWild:
    def test_what_it_claims(self):
        assert looks_like(bytes(mail()))
        assert looks_like(b"\xef\xbb\xbfReturn-Path: <a@b>\r\nReceived: x\r\n\ty; z\r\nSubject: x\r\n\r\n")
        assert looks_like(b"From a@b Sun Oct 12 2025\nfrom: x\ndate: y\n")
        for other in (
            b"012 Cup\n",
            b"Subject: x\n\nFrom: y\n",
            b"a,b\nFrom: x\nDate: y\n",
            b"(;GM[1]",
            b"<html>",
        ):
            assert not looks_like(other)

    @pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
    def test_line_ends(self, end):
        data = bytes(with_file()).replace(b"\n", end.encode())
        assert names(data) == ["open.trf"]

    @pytest.mark.slow
    def test_hostile(self):
        word = "=?x?q?" * 100_000
        for header in (
            f"Subject: {word}\n",
            "Content-Type: a" + ";a=b" * 200_000 + "\n",
            "Subject: x\n" * 100_000,
        ):
            read(raw(header), "x")
        read(raw("", "chess-results.com/" * 200_000 + "tnr" * 200_000), "x")
        read(raw("Content-Type: text/plain; charset=punycode\n", "a-" * 1_000_000), "x")
        read(raw("Content-Type: text/html; charset=utf-7\n", "&#" * 500_000 + "+" * 500_000), "x")

    @given(st.binary(max_size=300))
    def test_any_bytes_give_a_mail(self, data):
        looks_like(data)
        read(HEAD.encode() + data, "x")

    @settings(max_examples=examples(80))
    @given(st.randoms(use_true_random=False), st.integers(1, 15))
    def test_mutated_mails_raise_nothing(self, rnd: random.Random, changes):
        whole = mail("chess-results.com/tnr5.aspx", Subject="結果の報告")
        whole.add_attachment(with_file("結果.trf"))
        whole.add_attachment(TRF, maintype="text", subtype="plain", filename="報告①.csv")
        data = bytearray(bytes(whole))
        for _ in range(changes):
            at = rnd.randrange(len(data))
            data[at : at + rnd.randrange(3)] = bytes(
                rnd.choices(b'=?*";:\n\r <>@\0\x83\xff\x1b$()', k=rnd.randrange(4))
            )
        for one in read(bytes(data), "x").faults:
            assert fault_line(one, "en")
