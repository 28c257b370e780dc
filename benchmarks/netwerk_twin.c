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

static u64 RAYS[8][SQUARES], GOALS[2][2], FIELD[2], ZOBRIST[2][SQUARES];

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
            RAYS[d][s] = 0;
            for (int f = s % 8 + step[d][0], k = s / 8 + step[d][1]; f >= 0 && f < 8 && k >= 0 && k < 8;
                 f += step[d][0], k += step[d][1])
                RAYS[d][s] |= 1ull << (8 * k + f);
        }
    GOALS[0][0] = FILE_A & ~CORNERS; GOALS[0][1] = FILE_H & ~CORNERS;
    GOALS[1][0] = RANK_1 & ~CORNERS; GOALS[1][1] = RANK_8 & ~CORNERS;
    FIELD[0] = ~CORNERS & ~(GOALS[1][0] | GOALS[1][1]);
    FIELD[1] = ~CORNERS & ~(GOALS[0][0] | GOALS[0][1]);
    for (int p = 0; p < 2; p++)
        for (int s = 0; s < SQUARES; s++) ZOBRIST[p][s] = next(&r);
}

static inline int lowest(u64 b) { return __builtin_ctzll(b); }
static inline int highest(u64 b) { return 63 - __builtin_clzll(b); }
static inline int count(u64 b) { return __builtin_popcountll(b); }

static inline int first_stone(int square, int direction, u64 occupied) {
    u64 seen = RAYS[direction][square] & occupied;
    return seen == 0 ? -1 : direction < 4 ? lowest(seen) : highest(seen);
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

static inline u64 seen_along(u64 stones, u64 empty, int axis) {
    static const int step[4] = {1, 9, 8, 7};
    static const u64 keep_up[4] = {~0x0101010101010101ull, ~0x0101010101010101ull, ~0ull, ~0x8080808080808080ull};
    static const u64 keep_down[4] = {~0x8080808080808080ull, ~0x8080808080808080ull, ~0ull, ~0x0101010101010101ull};
    int n = step[axis];
    u64 up = stones, way = empty & keep_up[axis];
    up |= way & up << n;
    way &= way << n;
    up |= way & up << 2 * n;
    way &= way << 2 * n;
    up |= way & up << 4 * n;
    u64 down = stones;
    way = empty & keep_down[axis];
    down |= way & down >> n;
    way &= way >> n;
    down |= way & down >> 2 * n;
    way &= way >> 2 * n;
    down |= way & down >> 4 * n;
    return (up << n & keep_up[axis]) | (down >> n & keep_down[axis]);
}

static u64 joined(u64 seeds, u64 own, u64 empty, u64 goals) {
    u64 reached = seeds, wave = seeds;
    while (wave) {
        u64 seen = 0;
        for (int axis = 0; axis < 4; axis++) seen |= seen_along(wave, empty, axis);
        wave = seen & own & ~reached;
        reached |= wave;
        wave &= ~goals;
    }
    return reached;
}

static int reaches_goal(int square, int came, int length, u64 free, u64 occupied, u64 goal) {
    for (int d = 0; d < 8; d++) {
        if (d == came) continue;
        int seen = first_stone(square, d, occupied);
        if (seen < 0) continue;
        u64 stone = 1ull << seen;
        if (!(stone & free)) continue;
        if (stone & goal) {
            if (length + 1 >= NETWORK) return 1;
        } else if (reaches_goal(seen, d, length + 1, free ^ stone, occupied, goal)) return 1;
    }
    return 0;
}

static int walk(u64 own, u64 occupied, int player, u64 seeds) {
    u64 start = GOALS[player][0], goal = GOALS[player][1];
    u64 reached = joined(seeds, own, ~occupied, start | goal);
    if (!(reached & start) || !may_have_network(reached, player)) return 0;
    for (u64 waiting = reached & start; waiting; waiting &= waiting - 1)
        if (reaches_goal(lowest(waiting), -1, 1, reached & ~start, occupied, goal)) return 1;
    return 0;
}

static int has_network(u64 own, u64 occupied, int player) {
    return may_have_network(own, player) && walk(own, occupied, player, own & GOALS[player][0]);
}

static inline u64 targets(const State *s, u64 own) {
    u64 open = FIELD[s->player] & ~(s->stones[0] | s->stones[1]);
    if (s->player == 0 || s->crowding == 0 || s->hands[s->player] == 0) open &= ~crowded(own);
    return open;
}

static inline int nth(u64 squares, int n) {
    while (n-- > 0) squares &= squares - 1;
    return lowest(squares);
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
        if (may_have_network(own, player) && walk(own, own | s->stones[other], player, 1ull << to)) s->result = player;
    } else {
        int sums[STONES], stones = 0, total = 0;
        for (u64 lifting = own; lifting; lifting &= lifting - 1) {
            total += count(targets(s, own ^ (lifting & -lifting)));
            sums[stones++] = total;
        }
        if (!total) goto pass;
        int pick = below(r, total), stone = 0;
        while (sums[stone] <= pick) stone++;
        if (stone) pick -= sums[stone - 1];
        int from = nth(own, stone), to = nth(targets(s, own ^ 1ull << from), pick);
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
