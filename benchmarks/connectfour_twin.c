/* Connect Four, 7 columns of 6, in plain C: uniformly random games, and UCT with proven values, as gamelab does both.
 *
 *     cc -O3 -march=native -fno-math-errno -shared -fPIC connectfour_twin.c -o libconnectfour_twin.so
 *
 * A column is seven bits of a word, the lowest cell first; the seventh bit stays empty, so that no line runs from one column
 * into the next.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;

enum { COLUMNS = 7, ROWS = 6, HEIGHT = ROWS + 1, MAX_DEPTH = 64 };
enum { ONGOING = -1, DRAW = 2, TERMINAL = -2, UNKNOWN = -3 };

#define BOTTOM 0x0000040810204081ull
#define BOARD (BOTTOM * 0x3F)

typedef struct {
    u64 own, other; /* the stones of the player to move, and of the other */
    u64 landing;    /* where each column's next stone would lie */
    int8_t player, result;
} State;

/* ---- randomness: xoshiro256++ (Blackman and Vigna), and for the plies of one game SplitMix64 ------------------------------ */

typedef struct { u64 s[4]; } Rng;

static inline u64 rotl(u64 x, int k) { return x << k | x >> (64 - k); }

static inline u64 next(Rng *r) {
    u64 *s = r->s, result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return result;
}

static inline u64 mix(u64 z) {
    z += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static inline int part(u64 word, int n) { return (int)((double)(int64_t)(word >> 11) * 0x1.0p-53 * n); }

static void seed(Rng *r, u64 x) {
    for (int i = 0; i < 4; i++) r->s[i] = mix(x + (u64)i * 0x9E3779B97F4A7C15ull);
}

/* ---- rules ---------------------------------------------------------------------------------------------------------------- */

static inline int has_four(u64 b) {
    u64 up = b & b >> 1, across = b & b >> HEIGHT, rising = b & b >> (HEIGHT + 1), falling = b & b >> (HEIGHT - 1);
    return ((up & up >> 2) | (across & across >> 2 * HEIGHT) | (rising & rising >> 2 * (HEIGHT + 1)) |
            (falling & falling >> 2 * (HEIGHT - 1))) != 0;
}

static inline u64 open_cells(const State *s) { return s->landing & BOARD; }
static inline void put(State *s, u64 cell) {
    u64 own = s->own | cell;
    s->own = s->other;
    s->other = own;
    s->landing += cell;
    s->result = has_four(own) ? s->player : s->landing & BOARD ? ONGOING : DRAW;
    s->player = (int8_t)(1 - s->player);
}

static inline u64 column_cell(const State *s, int column) { return open_cells(s) & 0x3Full << HEIGHT * column; }

/* The n-th lowest set bit, alone. */
static inline u64 nth_bit(u64 word, int n) {
#ifdef __BMI2__
    return __builtin_ia32_pdep_di(1ull << n, word);
#else
    while (n--) word &= word - 1;
    return word & -word;
#endif
}

static inline int random_game(State *s, Rng *r) {
    u64 stream = mix(next(r) >> 11);
    int plies = 0;
    while (s->result == ONGOING) {
        u64 open = open_cells(s);
        put(s, nth_bit(open, part(mix(stream + (u64)plies), __builtin_popcountll(open))));
        plies++;
    }
    return plies;
}

static inline double result_for_first(const State *s) { return s->result == 0 ? 1.0 : s->result == 1 ? -1.0 : 0.0; }

/* Play random games; totals[0] their plies, totals[1] the first player's wins, totals[2] draws. */
void play(u64 seed_value, int64_t games, int64_t totals[3]) {
    Rng r;
    seed(&r, seed_value);
    memset(totals, 0, 3 * sizeof *totals);
    for (int64_t i = 0; i < games; i++) {
        State s = {.result = ONGOING, .landing = BOTTOM};
        totals[0] += random_game(&s, &r);
        totals[1] += s.result == 0;
        totals[2] += s.result == DRAW;
    }
}

/* ---- UCT ------------------------------------------------------------------------------------------------------------------ */

typedef struct {
    double value_sum; /* for the player who moved here */
    int32_t visits, first_child, action;
    float proven_value; /* for the first player */
    uint16_t num_children, tried;
    int8_t player;
    uint8_t proven;
} Node;

_Static_assert(sizeof(Node) == 32, "two nodes a cache line");

static int expand(const State *s, Node *nodes, int64_t limit, int64_t *used, int index, Rng *r) {
    int actions[COLUMNS], n = 0;
    for (u64 open = open_cells(s); open; open &= open - 1) actions[n++] = __builtin_ctzll(open) / HEIGHT;
    for (int i = n - 1; i > 0; i--) {
        int j = part(next(r), i + 1), kept = actions[i];
        actions[i] = actions[j];
        actions[j] = kept;
    }
    if (*used + n > limit) return 0;
    for (int i = 0; i < n; i++) nodes[*used + i] = (Node){.action = actions[i], .player = UNKNOWN};
    nodes[index].first_child = (int32_t)*used;
    nodes[index].num_children = (uint16_t)n;
    *used += n;
    return 1;
}

/* The child to go to. What is certain needs no exploration; if it is best, an open sibling is looked at all the same, but
 * *certain is what is backed up above. */
static int best_child(Node *nodes, int index, double exploration, double *certain) {
    Node *node = &nodes[index];
    int first = node->first_child;
    if (node->tried < node->num_children) return first + node->tried++;
    double sign = node->player == 0 ? 1.0 : -1.0, wide = exploration * sqrt(log(node->visits));
    double best_bound = -INFINITY, settled_bound = -INFINITY;
    int best = first, settled = -1;
    for (int child = first; child < first + node->num_children; child++) {
        const Node *c = &nodes[child];
        if (c->proven) {
            double bound = sign * c->proven_value;
            if (bound > settled_bound) settled = child, settled_bound = bound;
            continue;
        }
        double inverse = 1.0 / c->visits, bound = c->value_sum * inverse + wide * sqrt(inverse);
        if (bound > best_bound) best = child, best_bound = bound;
    }
    if (settled_bound > best_bound) {
        *certain = nodes[settled].proven_value;
        if (best_bound == -INFINITY) return settled;
    }
    return best;
}

/* Settle a node's value, if that is possible now that a child's is known. */
static int prove(Node *nodes, int index, int child) {
    Node *node = &nodes[index];
    double sign = node->player == 0 ? 1.0 : -1.0, best = nodes[child].proven_value;
    if (sign * best < 1.0)
        for (int other = node->first_child; other < node->first_child + node->num_children; other++) {
            if (!nodes[other].proven) return 0;
            if (sign * nodes[other].proven_value > sign * best) best = nodes[other].proven_value;
        }
    node->proven = 1;
    node->proven_value = (float)best;
    return 1;
}

static void simulate(const State *root, Node *nodes, int64_t limit, int64_t *used, double exploration, int solver, Rng *r) {
    int path[MAX_DEPTH], depth = 0, index = 0;
    double certain[MAX_DEPTH], value;
    State s = *root;
    path[0] = 0;
    while (!nodes[index].proven && nodes[index].player != TERMINAL) {
        if (nodes[index].first_child == 0) {
            if (index != 0 && nodes[index].visits == 0) break;
            if (!expand(&s, nodes, limit, used, index, r)) break;
        }
        certain[depth] = NAN;
        index = best_child(nodes, index, exploration, &certain[depth]);
        path[++depth] = index;
        put(&s, column_cell(&s, nodes[index].action));
        if (nodes[index].player == UNKNOWN) {
            nodes[index].player = s.result == ONGOING ? s.player : TERMINAL;
            if (s.result != ONGOING && solver) {
                nodes[index].proven = 1;
                nodes[index].proven_value = (float)result_for_first(&s);
            }
        }
    }
    if (nodes[index].proven) value = nodes[index].proven_value;
    else random_game(&s, r), value = result_for_first(&s);
    for (int i = depth; i > 0; i--) {
        nodes[path[i]].visits++;
        nodes[path[i]].value_sum += nodes[path[i - 1]].player == 0 ? value : -value;
        if (!isnan(certain[i - 1])) value = certain[i - 1];
    }
    nodes[0].visits++;
    nodes[0].value_sum += nodes[0].player == 0 ? value : -value;
    if (!solver) return;
    for (int i = depth; i > 0 && nodes[path[i]].proven && prove(nodes, path[i - 1], path[i]); i--) {}
}

/* Search from the start with `simulations` simulations, or fewer if the root is proven. `memory` has room for `limit` nodes.
 * visits and values, each COLUMNS long, are the root's children's; used[0] becomes the nodes in use. Returns simulations. */
int64_t search(u64 seed_value, int64_t simulations, double exploration, int solver, void *memory, int64_t limit,
               int64_t *visits, double *values, int64_t *used) {
    Node *nodes = memory;
    State root = {.result = ONGOING, .landing = BOTTOM};
    Rng r;
    seed(&r, seed_value);
    *used = 1;
    nodes[0] = (Node){.action = -1};
    int64_t done = 0;
    for (; done < simulations && !nodes[0].proven; done++) simulate(&root, nodes, limit, used, exploration, solver, &r);
    memset(visits, 0, COLUMNS * sizeof *visits);
    memset(values, 0, COLUMNS * sizeof *values);
    for (int i = nodes[0].first_child; i < nodes[0].first_child + nodes[0].num_children; i++) {
        visits[nodes[i].action] = nodes[i].visits;
        values[nodes[i].action] = nodes[i].visits ? nodes[i].value_sum / nodes[i].visits : 0.0;
    }
    return done;
}
