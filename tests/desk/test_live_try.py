import pytest, random
from datetime import datetime, timedelta, UTC
from hypothesis import given, settings, strategies as st, HealthCheck
pytestmark = pytest.mark.django_db
from banzuke.book import models
from banzuke.book.reading import read_book, rules_from
from banzuke.book.writing import enter_ledger, Act
from banzuke.core.go import GoPlayer, GoGame, Declaration, RANK_NAMES, GoOpening
from banzuke.ledger.folder import GoLedger
from banzuke.desk.live import taking
from banzuke.desk.live.written import state_from, line_text
from banzuke.office.go_history import history, opening
FILES={"pool.toml":'name = "G"\n[[edition]]\nrulebook = "pandanet"\nfrom = 2020-01-01\n'}
T0=datetime(2026,1,1,tzinfo=UTC)
from banzuke.desk.live import sendings
def sent(pool,games):
    for t in sendings.send(pool,games,"k"):
        row=models.LiveGame.objects.get(pk=t.number); assert row.game_id==t.game_id and row.stands and (row.black_line,row.white_line)==(t.black_line,t.white_line)
def check(pool):
    with taking.current(pool): pass
    ledger=read_book(pool); run=opening(ledger); rated=list(history(ledger,run,None))
    rows={l.game_id:(l.black_line,l.white_line) for l in models.LiveGame.objects.filter(pool=pool,stands=True)}
    assert rows=={r.game.game_id:(line_text(r.black),line_text(r.white)) for r in rated}
    assert models.LiveGame.objects.filter(pool=pool,stands=True).count()==len(rated)
    seats={s.player_id:state_from(s.state) for s in models.LiveStanding.objects.filter(pool=pool)}
    assert seats==run.states
@pytest.mark.parametrize("seed",range(60))
def test_random(seed):
    r=random.Random(seed); n=r.choice([3,5,8])
    players=[GoPlayer(f"p{i}",f"P{i}",r.choice(["17k","16k","BC","BC","15k","3k","1d","3p"]) if i else "17k") for i in range(n)]
    opening_=[GoOpening(f"p{i}",r.choice(["17k","17k+","16k"]),r.choice([20,49,50,100]),r.choice([-150,0,390,420]) ) for i in range(n) if r.random()<.6]
    ledger=GoLedger(rules_from(FILES),players,[],[],opening_)
    pool=enter_ledger(f"go{seed}",ledger,FILES,Act("x","import-ledger"))
    ids=[]; again=0
    for step in range(60):
        x=r.random()
        t=step if r.random()<.6 else r.randrange(0,step+1)
        def game(t):
            a,b=r.sample(range(n),2)
            g=GoGame(f"g{r.randrange(10**6)}",T0+timedelta(minutes=t),f"p{a}",f"p{b}",r.choice(["B","W","B","W","B","W","draw"]),0,r.choice([13,1,-11]),r.choice([19]*9+[9]),100)
            ids.append(g.game_id); return g
        if x<.12:
            from django.db import transaction
            from banzuke.book.writing import open_entry, add_facts
            from banzuke.desk.rows import TABLES
            from banzuke.book.models import Strike, GoGame as GG
            with transaction.atomic():
                e=open_entry(pool,Act("officer","report"))
                add_facts(e,TABLES[GoGame],[game(t),game(t)])
                if r.random()<.15 and ids:
                    row=GG.objects.get(pool=pool,game_id=ids.pop(0))
                    from datetime import date as date_
                    Strike.objects.create(entry=e,pool=pool,table="games",row=row.pk,day=date_(2026,1,1))
            d=None
        elif x<.75:
            sent(pool,[game(t+k if r.random()<.8 else max(t-3,0)) for k in range(r.choice([1,1,1,3]))])
            d=None
        elif x<.85 and ids:
            g=ids.pop(r.randrange(len(ids))); d=taking.void(pool,g,"k","").done
        elif x<.95: 
            p=f"p{r.randrange(n)}"; at=T0+timedelta(minutes=t)
            taking.declare(pool,Declaration(p,at,r.choice(["17k","10k","3k","1d"])),"k") if not models.Declaration.objects.filter(pool=pool,player_id=p,at=at.isoformat()).exists() else None; d=None
        else:
            taking.join(pool,GoPlayer(f"p{n}",f"P{n}","17k"),"k"); n+=1; d=None
        if d: again+=sum(1 for e in d.rated if e.was)
        if step%7==0: check(pool)
    check(pool)
    print(again)
