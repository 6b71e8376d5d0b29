/* The loop of bench/reference.py (JCF: K, table, limit, sum, rounding, floor) in C, over arrays: a yardstick. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int32_t rating, games, peak, k, total, counted; } player;

/* windows: where each window's games end; pd: hundredths for -400 to 400; born: years; year: of each window. */
int rate(int windows, const int64_t *ends, const int32_t *white, const int32_t *black, const int8_t *score,
         int players, player *all, const int32_t *born, const int32_t *year, const int32_t *pd)
{
    int64_t game = 0;
    for (int window = 0; window < windows; window++) {
        for (int p = 0; p < players; p++) {
            player *own = all + p;
            int young = own->peak < 2000 && year[window] - born[p] - 1 < 19;
            own->k = own->peak >= 2400 ? 10 : young || own->games < 30 ? 40 : 20;
            own->total = own->counted = 0;
        }
        for (; game < ends[window]; game++) {
            player *w = all + white[game], *b = all + black[game];
            int d = w->rating - b->rating;
            d = d > 400 ? 400 : d < -400 ? -400 : d;
            w->total += (50 * score[game] - pd[d + 400]) * w->k;
            b->total += (50 * (2 - score[game]) - pd[400 - d]) * b->k;
            w->counted++;
            b->counted++;
        }
        for (int p = 0; p < players; p++) {
            player *own = all + p;
            if (!own->counted)
                continue;
            int shift = (abs(own->total) + 50) / 100;
            own->rating += own->total >= 0 ? shift : -shift;
            own->rating = own->rating < 1000 ? 1000 : own->rating;
            own->games += own->counted;
            own->peak = own->peak > own->rating ? own->peak : own->rating;
        }
    }
    return 0;
}
