"""The words of Chess-Results' tables and titles in its languages.

A heading is known by its word, whatever stands around it: case, accents, full stops, colons and width do
not count. A round's heading is known by its shape (`5.Rd`, `5. Ru`, `Rd.5`, `第5回戦`), in any language.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from banzuke.core.facts import BLITZ, RAPID, STANDARD
from banzuke.formats.files.text_encoding import plain

#: What a column holds, by the words over it.
_COLUMNS = {
    "number": (
        "no;nr;snr;sno;stno;startno;start no;start nr;startnr;no ini;nro;num;numero;n;n°;nº;№;#;"
        "ном;номер;br;rb;c;cis;st c;p c;番号;スタート番号;番"
    ),
    "rank": (
        "rk;rank;rg;rang;pl;pl.;place;platz;pos;puesto;cl;clas;rgo;poz;por;mjesto;mj;m;место;м;"
        "hely;hsz;sira;sij;plac;plass;順位;lugar;miejsce;msc"
    ),
    "name": (
        "name;nombre;nom;nome;jmeno;meno;nazwisko;nazwisko i imie;imie i nazwisko;имя;фамилия;"
        "фио;фамилия имя;им'я;прізвище;isim;adi soyadi;ad;ad soyad;adi;nev;naam;navn;namn;nimi;"
        "ime;prezime i ime;ime i prezime;priimek in ime;име;ονομα;ονοματεπωνυμο;nume;vards;"
        "uzvards;vardas;nafn;emri;nama;ten;ho ten;氏名;名前;姓名;選手名;이름;player;spieler;"
        "jugador;jogador;joueur;giocatore;hrac;zawodnik;игрок;участник;oyuncu;jatekos;選手"
    ),
    "white": (
        "white;weiss;weiß;blancas;blanc;blancs;brancas;bianco;bili;bily;bile;biale;белые;білі;"
        "beyaz;beyazlar;vilagos;wit;hvit;hvid;vit;valkea;bijeli;beli;бели;λευκα;alb;balti;白;"
        "白番;백;白方"
    ),
    "black": (
        "black;schwarz;negras;noir;noirs;pretas;negre;nero;cerni;cerny;cerne;czarne;черные;чорні;"
        "siyah;siyahlar;sotet;zwart;svart;sort;musta;crni;црни;черни;μαυρα;negru;melni;黒;黒番;"
        "흑;黑方"
    ),
    "result": (
        "result;res;ergebnis;erg;resultado;resultat;risultato;vysledek;vysledok;wynik;результат;"
        "рез;sonuc;eredmeny;uitslag;tulos;rezultat;rezultats;резултат;αποτελεσμα;結果;성적"
    ),
    "points": (
        "pts;pt;points;pkt;punkte;ptos;puntos;punti;pontos;pont;body;bod;bodovi;punkty;очки;очк;"
        "о;puan;puncte;poeng;point;poang;pisteet;punten;tocke;punkti;точки;βαθμοι;得点;ポイント;"
        "勝点;score"
    ),
    "rating": "rtg;rating;elo;rat;рейт;рейтинг;р;ukd;elo p;レーティング;ratings;rejting;rejtings",
    "international": (
        "rtgi;rtg i;rtg int;eloi;elo i;elo int;elo fide;elof;fide elo;rating fide;rtg fide;"
        "fide rtg;fide;рейт м;ur fide;国際レーティング"
    ),
    "national": (
        "rtgn;rtg n;rtg nat;elon;elo n;elo nac;elo nat;elonac;nwz;dwz;rtg nac;rating nat;рейт н;"
        "ukd n;国内レーティング"
    ),
    "fide_id": (
        "fideid;fide id;id fide;fide no;fide nr;fide code;codigo fide;cod fide;kod fide;fide kod;"
        "fide;код fide;fide番号;fide number;n fide"
    ),
    "national_id": (
        "id;ident;ident no;ident nr;identnumber;id nat;nat id;id no;id nr;idno;passnr;"
        "id nacional;national id;会員番号;id番号"
    ),
    "federation": (
        "fed;land;pais;pays;paese;stat;zeme;kraj;страна;фед;ulke;orszag;zemlja;tara;federation;fed.;連盟;国"
    ),
    "sex": "sex;geschlecht;sexo;sexe;sesso;pohlavi;plec;пол;стать;cinsiyet;nem;性別;gender",
    "birth": (
        "birth;born;b-day;bday;birthday;geb;geboren;gebdat;geb datum;jahrgang;nac;nacimiento;"
        "naissance;nascita;nar;narozen;ur;др;рожд;гр;dogum;szul;date of birth;year;生年月日;生年"
    ),
}
#: A detail of the event, by the words before it.
_DETAILS = {
    "organiser": (
        "organizer;organiser;veranstalter;organizador;organisateur;organizzatore;organizator;"
        "poradatel;organizuje;организатор;організатор;duzenleyen;rendezo;szervezo;arrangor;"
        "organisator;jarjestaja;主催"
    ),
    "federation": (
        "federation;foderation;verband;federacion;federacao;federazione;federace;federacja;"
        "федерация;федерація;federasyon;szovetseg;federacija;forbund;連盟"
    ),
    "responsible": (
        "chief arbiter;hauptschiedsrichter;arbitro principal;arbitre principal;arbitre en chef;"
        "arbitro principale;arbitro capo;hlavni rozhodci;hlavny rozhodca;sedzia glowny;"
        "главный судья;главный арбитр;головний суддя;bashakem;bas hakem;foversenybiro;"
        "foversenybíro;versenybiro;hoofdarbiter;hoveddommer;huvuddomare;glavni sudac;"
        "glavni sodnik;審判長;主任審判"
    ),
    "time_control": (
        "time control;bedenkzeit;control de tiempo;ritmo de juego;cadence;tempo di riflessione;"
        "ritmo de jogo;tempo de reflexao;casova kontrola;tempo hry;tempo gry;контроль времени;"
        "контроль часу;dusunme suresi;tempo;gondolkodasi ido;jatekido;bedenktijd;betenkningstid;"
        "betanketid;持ち時間"
    ),
    "place": (
        "location;ort;turnierort;spielort;lugar;lieu;luogo;local;misto;miesto;miejsce;"
        "место проведения;место;місце;yer;helyszin;plaats;sted;plats;mjesto;場所;会場;開催地"
    ),
    "rounds": (
        "number of rounds;rounds;anzahl der runden;anzahl runden;rundenanzahl;rundenzahl;"
        "numero de rondas;nombre de rondes;numero di turni;numero de rodadas;pocet kol;"
        "liczba rund;число туров;количество туров;кількість турів;tur sayisi;fordulok szama;"
        "aantal ronden;antall runder;antal ronder;antal runder;broj kola;回戦数;ラウンド数"
    ),
    "days": "date;datum;fecha;data;дата;tarih;dato;日付;開催日;期間;日程;date(s)",
    "rated": (
        "rating calculation;eloberechnung;elo-berechnung;elo berechnung;ratingauswertung;"
        "calculo de elo;calculo del elo;calcul elo;calcolo elo;vypocet elo;подсчет рейтинга"
    ),
}
_SPEEDS = {
    "standard": STANDARD,
    "classical": STANDARD,
    "klassisch": STANDARD,
    "rapid": RAPID,
    "schnell": RAPID,
}
_SPEEDS |= {"blitz": BLITZ, "блиц": BLITZ, "рапид": RAPID, "стандарт": STANDARD}
_NO_OPPONENT = (
    "bye;not paired;spielfrei;nicht ausgelost;nicht gepaart;bye (freilos);freilos;libre;descansa;exempt;"
)
_NO_OPPONENT += (
    "non apparie;riposa;volny los;nelosovan;wolny los;pauza;свободен;не играет;bos;eslesmedi;szabadnapos;"
)
_NO_OPPONENT += "no emparejado;nao emparceirado;folga;不戦;抜け番;休み"
_ROUND = re.compile(
    r"(?P<a>[0-9]{1,3})\s*\.\s*(?P<word>[^\W\d_]{1,9})\.?"
    r"|(?:rd|ru|r|rnd|round|runde|ronda|rodada|ronde|tour|turno|kolo|runda|тур|tur|fordulo)\W{0,2}(?P<b>[0-9]{1,3})"
    r"|第?\s*(?P<c>[0-9]{1,3})\s*(?:回戦?|ラウンド|局|r)",
    re.IGNORECASE,
)
_UNROUND = re.compile(r"tb|wtg|des|bh|buch|so|sb|wert|tie|кр|доп|bp|pkt|pts|z", re.IGNORECASE)
#: Titles of an event that is over, and of one that stands after a round, by their words.
_FINAL = re.compile(
    r"final|endtabelle|endstand|endrang|konecn|koncow|итог|конечн|кінцев|vegered|vegso|slut|eind|nihai|最終|konacn|"
    r"koncn|zakljuc|lopput|τελικ|galut|beigu|lopp"
)
_AFTER = re.compile(
    r"after round|nach (?:der )?(?:\d+ )?runde(?!n)|despues de la ronda|tras la ronda|apres (?:la )?ronde|"
    r"dopo (?:il )?(?:\d+ )?turno|apos (?:a )?(?:rodada|ronda)|po (?:\d+ )?(?:rundzie|kole)|"
    r"после (?:\d+-?(?:го)? )?тура|"
    r"tur(?:dan)? (?:\d+ )?sonra|fordulo utan|回戦(?:終了)?後|"
    r"efter rond|etter runde|na ronde|depois da ronda"
)


#: Letters with a stroke, or without their dot, as one types them plain.
_STROKES = str.maketrans("łđøħı", "ldohi")


@lru_cache(maxsize=4096)
def bare(text: str) -> str:
    """A word without case, accents, strokes, width, and signs at its ends: `Rd. ` gives `rd`."""
    letters = unicodedata.normalize("NFKD", plain(text).casefold()).translate(_STROKES)
    return " ".join(
        "".join(c for c in letters if not unicodedata.combining(c)).replace(".", " ").split()
    ).strip(" :,")


def _by_word(words: dict[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for meaning, said in words.items():
        for word in said.split(";"):
            found.setdefault(bare(word), meaning)
    return found


_COLUMN_OF, _DETAIL_OF = _by_word(_COLUMNS), _by_word(_DETAILS)
_NOBODY = {bare(word) for word in _NO_OPPONENT.split(";")}


def column_of(heading: str) -> str:
    """What a column holds by its heading (`number`, `name`, `points` ...); blank if it is not known."""
    return _COLUMN_OF.get(bare(heading), "")


def round_of(heading: str) -> int:
    """The round of a column by its heading (`5.Rd`, `Rd.5`); 0 if it is no round's."""
    found = _ROUND.fullmatch(plain(heading))
    if not found or (found["word"] and _UNROUND.match(found["word"])):
        return 0
    return int(found["a"] or found["b"] or found["c"])


def detail_of(label: str) -> str:
    """Which detail of the event a label names (`organiser`, `days` ...); blank if none that is read."""
    word = re.sub(r"\(.*|\s*/.*", "", bare(label)).strip()
    return _DETAIL_OF.get(word) or _DETAIL_OF.get(word.removesuffix("(s)"), "")


def speed_of(label: str) -> str:
    """The ledger's speed in a label such as `Time control (Rapid)`; blank if it has none."""
    return next((speed for word, speed in _SPEEDS.items() if word in bare(label)), "")


def is_nobody(name: str) -> bool:
    """Whether the words in an opponent's place say that there is none."""
    return not name or bare(name) in _NOBODY


def rounds_when_final(title: str) -> int | None:
    """The number of rounds in the title of a final table; 0 if it says none, None if it is no final title."""
    words = bare(title)
    if not _FINAL.search(words):
        return None
    found = re.findall(r"(?<!\d)\d{1,3}(?!\d)", words)
    return int(found[0]) if len(found) == 1 else 0


def stands_after_round(title: str) -> bool:
    """Whether a title says that the table stands after some round, and not that it is final."""
    words = bare(title)
    return bool(_AFTER.search(words)) and not _FINAL.search(words)
