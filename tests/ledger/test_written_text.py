"""How ids and names may be written: two that look alike are one, and what is refused is said why."""

from __future__ import annotations

import pytest

from banzuke.ledger.cells import CellError
from banzuke.ledger.written_text import ID, TEXT, tidy

FINE = [
    "A1", "", "Oliver O'Neill", "Anne-Marie", "山田　太郎", "﨑山 髙", "葛\U000e0100城", "神野", "Müller, José",
    "Иванов Пётр", "Ιωάννης", "Aさん", "ＯＢ会", "たかはしクラブ", "a_b/c~1", "Кубок (Cup)", "K-1 グランプリ",
]  # fmt: skip
REFUSED = {
    "cell-unseen": ["A\u200b1", "A1\ufeff", "\u202eA1", "A\u2066b\u2069", "Sa\u00adto", "ᅟ山", "山ㅤ田", "a\u2800b", "a\u180eb"],
    "cell-ends": ["A1 ", " A1", "山田\u3000", "A1\u00a0"],
    "cell-form": ["Mu\u0308ller", "か\u3099", "e\u0301"],
    "cell-mixed": ["Ivаnov", "ΑB", "Sατο", "Аlice Smith"],
    "cell-control": ["A\n", "A\tB", "A\x00", "A\ufffe", "\uffffA"],
}  # fmt: skip
BAD = [(code, text) for code, texts in REFUSED.items() for text in texts]


@pytest.mark.parametrize("text", FINE)
def test_what_people_are_called_is_taken(text):
    assert TEXT.read(text) == text
    assert tidy(text) == text


@pytest.mark.parametrize(("code", "text"), BAD)
def test_what_looks_like_something_else_is_refused_with_the_reason(code, text):
    for kind in (TEXT, ID):
        with pytest.raises(CellError) as refused:
            kind.read(text)
        assert refused.value.code == code


@pytest.mark.parametrize("text", ["А1", "СОР-7", "ΑΒ", "Ко7A", "\ufa19", "A-Б"])
def test_an_id_must_not_look_like_another(text):
    with pytest.raises(CellError) as refused:
        ID.read(text)
    assert refused.value.code in {"cell-mixed", "cell-form"}


@pytest.mark.parametrize("text", ["Ж1", "山01", "Ω-9", "J001", "クラブ3"])
def test_ids_of_other_alphabets_stay_ids(text):
    assert ID.read(text) == text


def test_an_id_fits_into_an_address():
    assert ID.read("a" * 200)
    with pytest.raises(CellError, match="cell-long-id"):
        ID.read("a" * 201)
    assert TEXT.read("a" * 5000)


def test_texts_of_files_that_others_wrote_are_tidied():
    assert tidy(" Mu\u0308ller\u200b\ufeff ") == "Müller"
    assert tidy("神野\u200b") == "神野"
    for code, text in BAD:
        if code in {"cell-unseen", "cell-ends", "cell-form"}:
            assert TEXT.read(tidy(text))
