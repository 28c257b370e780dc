/* Uniformly random games of Netwerk in plain C: the same algorithm as the compiled rules of gamelab, to measure them against.
 *
 *     cc -O3 -march=native -shared -fPIC netwerk_twin.c -o libnetwerk_twin.so
 */
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;

enum { SQUARES = 64, STONES = 10, NETWORK = 6, MAX_PLIES = 200, ONGOING = -1, DRAW = 2 };

static const u64 FILE_A = 0x0101010101010101ull, FILE_H = 0x8080808080808080ull;
static const u64 RANK_1 = 0xFFull, RANK_8 = 0xFFull << 56, CORNERS = 0x8100000000000081ull;

static u64 RAYS[SQUARES][8], BEYOND[SQUARES][SQUARES], GOALS[2][2], FIELD[2], ZOBRIST[2][SQUARES];
static uint8_t NTH_IN_BYTE[8][256];

typedef struct {
    u64 stones[2], key;
    uint16_t ply;
    uint8_t hands[2], passes, crowding;
    int8_t player, result;
} State;

/* xoshiro256++ (Blackman and Vigna), as a C program would use it. */
typedef struct { u64 s[4]; } Rng;

static inline u64 rotl(u64 x, int k) { return x << k | x >> (64 - k); }

static inline u64 next(Rng *r) {
    u64 *s = r->s, result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return result;
}

static inline int below(Rng *r, int n) { return (int)((double)(next(r) >> 11) * 0x1.0p-53 * n); }

static void seed(Rng *r, u64 x) {
    for (int i = 0; i < 4; i++) {
        u64 z = x += 0x9E3779B97F4A7C15ull;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        r->s[i] = z ^ z >> 31;
    }
}

static void set_up_tables(void) {
    static const int step[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    Rng r;
    seed(&r, 1);
    for (int d = 0; d < 8; d++)
        for (int s = 0; s < SQUARES; s++) {
            RAYS[s][d] = 0;
            for (int f = s % 8 + step[d][0], k = s / 8 + step[d][1]; f >= 0 && f < 8 && k >= 0 && k < 8;
                 f += step[d][0], k += step[d][1])
                RAYS[s][d] |= 1ull << (8 * k + f);
        }
    for (int d = 0; d < 8; d++)
        for (int s = 0; s < SQUARES; s++)
            for (int t = 0; t < SQUARES; t++)
                if (RAYS[s][d] >> t & 1) BEYOND[s][t] = RAYS[t][d];
    for (int byte = 0; byte < 256; byte++)
        for (int i = 0, n = 0; i < 8; i++)
            if (byte >> i & 1) NTH_IN_BYTE[n++][byte] = (uint8_t)i;
    GOALS[0][0] = FILE_A & ~CORNERS; GOALS[0][1] = FILE_H & ~CORNERS;
    GOALS[1][0] = RANK_1 & ~CORNERS; GOALS[1][1] = RANK_8 & ~CORNERS;
    FIELD[0] = ~CORNERS & ~(GOALS[1][0] | GOALS[1][1]);
    FIELD[1] = ~CORNERS & ~(GOALS[0][0] | GOALS[0][1]);
    for (int p = 0; p < 2; p++)
        for (int s = 0; s < SQUARES; s++) ZOBRIST[p][s] = next(&r);
}

static inline int lowest(u64 b) { return __builtin_ctzll(b); }
static inline int count(u64 b) { return __builtin_popcountll(b); }

static inline u64 lowest_bit(u64 b) { return b & -b; }
static inline u64 highest_bit(u64 b) { return b & (1ull << 63 >> __builtin_clzll(b | 1)); }

static inline u64 seen_from(int square, u64 occupied) {
    u64 seen = 0;
    for (int d = 0; d < 4; d++)
        seen |= lowest_bit(RAYS[square][d] & occupied) | highest_bit(RAYS[square][d + 4] & occupied);
    return seen;
}

static inline u64 neighbours(u64 stones) {
    u64 sideways = (stones << 1 & ~FILE_A) | (stones >> 1 & ~FILE_H), row = stones | sideways;
    return sideways | row << 8 | row >> 8;
}

static inline u64 crowded(u64 stones) {
    u64 east = stones << 1 & ~FILE_A, west = stones >> 1 & ~FILE_H;
    u64 pair = east & west, sideways = east | west, row = stones | sideways;
    u64 row_twice = (stones & sideways) | pair, up = row << 8, down = row >> 8;
    u64 twice = pair | row_twice << 8 | row_twice >> 8;
    twice |= (sideways & up) | (sideways & down) | (up & down);
    return twice | neighbours(stones & (sideways | up | down));
}

static inline int may_have_network(u64 own, int player) {
    if (!(own & GOALS[player][0]) || !(own & GOALS[player][1])) return 0;
    return count(own & ~(GOALS[player][0] | GOALS[player][1])) >= NETWORK - 2;
}

static int reaches_goal(int square, u64 onward, int length, u64 free, u64 occupied, u64 goal) {
    if (onward & goal && length + 1 >= NETWORK) return 1;
    for (onward &= ~goal; onward; onward &= onward - 1) {
        int stone = lowest(onward);
        u64 rest = free ^ lowest_bit(onward), turning = seen_from(stone, occupied) & rest & ~BEYOND[square][stone];
        if (turning && reaches_goal(stone, turning, length + 1, rest, occupied, goal)) return 1;
    }
    return 0;
}

static int has_network(u64 own, u64 occupied, int player) {
    if (!may_have_network(own, player)) return 0;
    u64 start = GOALS[player][0], goal = GOALS[player][1], seen = 0;
    for (u64 ends = own & goal; ends; ends &= ends - 1) seen |= seen_from(lowest(ends), occupied);
    if (!(seen & own & ~(start | goal))) return 0;
    u64 free = own & ~start;
    for (u64 starts = own & start; starts; starts &= starts - 1) {
        int square = lowest(starts);
        if (reaches_goal(square, seen_from(square, occupied) & free, 1, free, occupied, goal)) return 1;
    }
    return 0;
}

static int completes_network(u64 own, u64 occupied, int player, int square) {
    if (!may_have_network(own, player)) return 0;
    u64 seen = seen_from(square, occupied) & own;
    int in_goal = (1ull << square & (GOALS[player][0] | GOALS[player][1])) != 0;
    if (!seen || (!in_goal && !(seen & (seen - 1)))) return 0;
    return has_network(own, occupied, player);
}

static inline u64 targets(const State *s, u64 own) {
    u64 open = FIELD[s->player] & ~(s->stones[0] | s->stones[1]);
    if (s->player == 0 || s->crowding == 0 || s->hands[s->player] == 0) open &= ~crowded(own);
    return open;
}

/* Vigna's broadword selection, as in gamelab.core.bits. */
static inline int nth(u64 word, int n) {
    u64 counts = word - (word >> 1 & 0x5555555555555555ull);
    counts = (counts & 0x3333333333333333ull) + (counts >> 2 & 0x3333333333333333ull);
    counts = ((counts + (counts >> 4)) & 0x0F0F0F0F0F0F0F0Full) * 0x0101010101010101ull;
    u64 below = (((u64)n * 0x0101010101010101ull) | 0x8080808080808080ull) - counts;
    int shift = 8 * count(below & 0x8080808080808080ull);
    return shift + NTH_IN_BYTE[(u64)n - (counts << 8 >> shift & 0xFF)][word >> shift & 0xFF];
}

/* Play one random action. */
static void step(State *s, Rng *r) {
    int player = s->player, other = 1 - player;
    u64 own = s->stones[player];
    s->ply++;
    if (s->hands[player]) {
        u64 open = targets(s, own);
        if (!open) goto pass;
        int to = nth(open, below(r, count(open)));
        s->stones[player] = own |= 1ull << to;
        s->hands[player]--;
        s->passes = 0;
        s->key ^= ZOBRIST[player][to];
        if (completes_network(own, own | s->stones[other], player, to)) s->result = player;
    } else {
        int counts[STONES], stone = 0, total = 0;
        for (u64 lifting = own; lifting; lifting &= lifting - 1)
            total += counts[stone++] = count(targets(s, own ^ lowest_bit(lifting)));
        if (!total) goto pass;
        int pick = below(r, total);
        u64 lifting = own;
        for (stone = 0; pick >= counts[stone]; lifting &= lifting - 1) pick -= counts[stone++];
        int from = lowest(lifting), to = nth(targets(s, own ^ lowest_bit(lifting)), pick);
        s->stones[player] ^= 1ull << from | 1ull << to;
        s->passes = 0;
        s->key ^= ZOBRIST[player][from] ^ ZOBRIST[player][to];
        u64 occupied = s->stones[0] | s->stones[1];
        if (has_network(s->stones[other], occupied, other)) s->result = other;
        else if (has_network(s->stones[player], occupied, player)) s->result = player;
    }
    goto end;
pass:
    if (++s->passes >= 2) s->result = DRAW;
end:
    if (s->result == ONGOING && s->ply >= MAX_PLIES) s->result = DRAW;
    s->player = other;
}

/* Play random games; totals[0] their plies, totals[1] White's wins, totals[2] draws. */
void play(u64 seed_value, int64_t games, int crowding, int64_t totals[3]) {
    Rng r;
    set_up_tables();
    seed(&r, seed_value);
    memset(totals, 0, 3 * sizeof *totals);
    for (int64_t i = 0; i < games; i++) {
        State s = {.hands = {STONES, STONES}, .crowding = (uint8_t)crowding, .result = ONGOING};
        while (s.result == ONGOING) step(&s, &r);
        totals[0] += s.ply;
        totals[1] += s.result == 0;
        totals[2] += s.result == DRAW;
    }
}
