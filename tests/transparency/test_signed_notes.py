"""Signed notes and checkpoints: the specification's example, many signatures, and what is no note."""

from __future__ import annotations

import base64
from email.message import EmailMessage

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from made_log import KEY, NAME, OTHER, PUBLIC, made_log

from banzuke.transparency.checkpoints import Checkpoint, notes_within, open_checkpoint, sign_checkpoint
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey, open_note, public_key, read_key, read_keys, sign_note

#: A key and a note that Go's package golang.org/x/mod/sumdb/note prints in its documentation.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
NOTE = """\
If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
""".encode()
#: The example of c2sp.org/signed-note.
FOO = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
FOO_NOTE = """\
This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
""".encode()


def code(call, *given):
    with pytest.raises(ProofError) as refused:
        call(*given)
    return refused.value.code


class TestKeys:
    def test_text_and_back(self):
        assert read_key(str(PUBLIC)) == PUBLIC
        assert read_key(f" {PETER}\n").name == "PeterNeumann"
        assert str(read_key(PETER)) == PETER

    @pytest.mark.parametrize(
        "text",
        ["", "a+b", PETER[:-1], PETER.replace("c74f", "c74e"), PETER.replace("+AR", "+AS"), PETER.replace("Peter", "P ter"),
         PETER.upper(), f"x{PETER}", PETER.replace("+A", "+B")],
    )  # fmt: skip
    def test_what_is_none(self, text):
        assert code(read_key, text) == "no-key"

    def test_a_file_has_one_a_line(self):
        assert read_keys(f"# the office's keys\n\n{PUBLIC}\n{PETER}\n") == [PUBLIC, read_key(PETER)]
        assert code(read_keys, "# nothing\n") == "no-key"


class TestNotes:
    def test_one_of_go(self):
        assert open_note(NOTE, [read_key(PETER)]).text.startswith("If you think")

    def test_the_specifications_example(self):
        key = read_key(FOO)
        assert (str(key), key.key_id.hex()) == (FOO, "530d903a")
        assert open_note(FOO_NOTE, [key]) == ("This is an example message.\n", (key,))

    def test_signed_as_go_does(self):
        # Go's own test has this private key: PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz
        key = Ed25519PrivateKey.from_private_bytes(
            base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
        )
        assert str(public_key("PeterNeumann", key)) == PETER
        assert sign_note(NOTE.decode().partition("\n\n")[0] + "\n", "PeterNeumann", [key]) == NOTE

    def test_by_two_keys_each_of_them_is_enough(self):
        note, other = sign_note("text\n\nand more\n", NAME, [KEY, OTHER]), public_key(NAME, OTHER)
        assert open_note(note, [PUBLIC]).keys == (PUBLIC,)
        assert open_note(note, [other]).keys == (other,)
        assert open_note(note, [other, PUBLIC]).keys == (PUBLIC, other)
        assert open_note(note, [PUBLIC]).text == "text\n\nand more\n"

    def test_who_is_unknown_is_passed_over(self):
        note = sign_note("text\n", NAME, [KEY])
        assert code(open_note, note, [public_key(NAME, OTHER)]) == "no-known-signature"
        assert code(open_note, note, [public_key("another-name", KEY)]) == "no-known-signature"
        assert code(open_note, note, []) == "no-known-signature"
        assert open_note(note + b"\xe2\x80\x94 somebody AAAAAAAA\n", [PUBLIC]).keys == (PUBLIC,)

    def test_a_known_key_that_fails_refuses_the_note_whoever_else_signed(self):
        good, bad = (sign_note(text, NAME, [key]) for text, key in (("text\n", KEY), ("other\n", OTHER)))
        both = good + bad.partition(b"\n\n")[2]
        assert open_note(both, [PUBLIC])
        assert code(open_note, both, [PUBLIC, public_key(NAME, OTHER)]) == "bad-signature"

    def test_an_id_alone_is_no_key(self):
        """Whoever finds a key with the same id has another key."""
        other = NoteKey(NAME, public_key(NAME, OTHER).public)
        assert code(open_note, sign_note("text\n", NAME, [KEY]), [other]) == "no-known-signature"

    @pytest.mark.parametrize(
        "note",
        [b"", b"text\n", b"text\n\n", b"\n\n\xe2\x80\x94 a AAAAAAAA\n", NOTE[:-1], NOTE + b"\n", NOTE.replace(b"\n", b"\r\n"),
         NOTE.replace("—".encode(), b"-"), NOTE.replace(b" x08", b"  x08"), NOTE.replace(b"=\n", b"\n"), b"\xff" + NOTE,
         NOTE.replace(b"x08go", b"x08g*"), NOTE.replace(b"If", b"I\tf"), NOTE + NOTE.splitlines(keepends=True)[-1]],
    )  # fmt: skip
    def test_what_is_none(self, note):
        assert code(open_note, note, [read_key(PETER)]) == "no-note"

    def test_sixteen_signatures_are_read(self):
        keys = [Ed25519PrivateKey.generate() for _ in range(15)]
        assert open_note(sign_note("text\n", NAME, [*keys, KEY]), [PUBLIC]).keys == (PUBLIC,)


class TestCheckpoints:
    def test_signed_and_opened(self):
        log = made_log()
        assert open_checkpoint(log.note(), [PUBLIC]).checkpoint == log.checkpoint()
        assert log.note().startswith(f"{NAME}\n5\n".encode())

    def test_further_lines_are_opaque(self):
        log = made_log()
        note = sign_note(f"{log.checkpoint().text}more\nand more\n", NAME, [KEY])
        assert open_checkpoint(note, [PUBLIC]).checkpoint == log.checkpoint()

    def test_a_witness_may_sign_below_the_log(self):
        log = made_log()
        note = log.note() + sign_note(log.checkpoint().text, "witness.example", [OTHER]).splitlines(True)[-1]
        assert open_checkpoint(note, [PUBLIC]).keys == (PUBLIC,)
        assert open_checkpoint(note, [PUBLIC, public_key("witness.example", OTHER)]).keys == (PUBLIC,)

    @pytest.mark.parametrize(
        "text",
        [f"{NAME}\n5\n", f"{NAME}\n05\n{'A' * 43}=\n", f"{NAME}\n-1\n{'A' * 43}=\n", f"{NAME}\n5\n{'A' * 42}B=\n",
         f"{NAME}\n5\n{'A' * 43}\n", f"{NAME}\n5\n{'A' * 40}\n", f"{NAME}\n\n{'A' * 43}=\n", f"{NAME}\n5\n{'A' * 43}=\n\nmore\n",
         f"{NAME}\n5 \n{'A' * 43}=\n", f"{NAME}\n٥\n{'A' * 43}=\n"],
    )  # fmt: skip
    def test_what_is_none(self, text):
        assert code(open_checkpoint, sign_note(text, NAME, [KEY]), [PUBLIC]) == "no-checkpoint"

    def test_only_the_key_of_the_origin_signs_for_it(self):
        other = public_key("another-log", KEY)
        note = sign_note(made_log().checkpoint().text, "another-log", [KEY])
        assert code(open_checkpoint, note, [other]) == "no-known-signature"


class TestInMails:
    def mail(self, note, **how):
        mail = EmailMessage()
        mail["Subject"] = "リスト2025年3月"
        text = f"公開しました。\n\nThe office's checkpoint:\n\n{note.decode()}\nGoodbye.\n"
        mail.set_content(text, **how)
        return mail

    @pytest.mark.parametrize("cte", ["base64", "quoted-printable", "8bit"])
    def test_however_it_is_encoded(self, cte):
        note = made_log().note(keys=[KEY, OTHER])
        assert notes_within(bytes(self.mail(note, cte=cte))) == [note]

    def test_beside_html(self):
        note, mail = made_log().note(), self.mail(made_log().note())
        mail.add_alternative("<p>Published.</p>", subtype="html")
        assert notes_within(bytes(mail)) == [note]

    def test_quoted_indented_and_broken_after_the_name(self):
        log = made_log()
        quoted = "".join(f"> {line}\n" for line in log.note(3).decode().splitlines())
        broken = log.note(4).decode().replace(f"— {NAME} ", f"— {NAME}\n")
        indented = "".join(f"    {line}\n" for line in log.note(5).decode().splitlines())
        text = f"Hello\n\n{quoted}\n{broken}\n\n{indented}"
        assert notes_within(text.encode()) == [log.note(size) for size in (3, 4, 5)]
        assert notes_within(text.replace("\n", "\r\n").encode()) == [log.note(size) for size in (3, 4, 5)]

    def test_the_file_itself(self):
        assert notes_within(made_log().note()) == [made_log().note()]

    @pytest.mark.parametrize("data", [b"", b"\x00\xff" * 99, b"Subject: x\n\nnothing\n", b"name\n5\n"])
    def test_none(self, data):
        assert notes_within(data) == []

    def test_what_nobody_writes_is_looked_through_at_once(self):
        long = b"9" * 6_000
        for data in (
            b">" * 200_000,
            b"name\n" + long + b"\n" + b"A" * 43 + "=\n\n— name AAAA\n".encode(),
            b"Content-Type: message/rfc822\n\n" * 3_000,
            b"Content-Type: text/plain; charset*=\xff''\nContent-Transfer-Encoding: uuencode\n\nbegin\n",
        ):
            assert notes_within(data) == []
        note = made_log().note()
        assert notes_within(b"Content-Type: message/rfc822\n\n" * 3_000 + b"\n" + note) == [note]

    def test_an_empty_log(self):
        empty = Checkpoint(NAME, 0, made_log().tree.root(0))
        assert open_checkpoint(sign_checkpoint(empty, [KEY]), [PUBLIC]).checkpoint == empty
