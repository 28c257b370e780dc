BEGIN TRANSACTION;
CREATE TABLE games (
    game_id INTEGER PRIMARY KEY,  -- place in the schedule, from 0
    round INTEGER NOT NULL,       -- how often the two had met before, in pairs of games
    first TEXT NOT NULL,          -- who moved first: agent's spec
    second TEXT NOT NULL,
    opponents TEXT NOT NULL,      -- both, JSON, in the order of the tournament: what the games of a pair share
    seed INTEGER NOT NULL,        -- of the tournament; with the columns above it settles every random choice
    opening INTEGER NOT NULL,     -- random plies at the start
    moves TEXT NOT NULL,          -- all actions in notation, JSON
    returns TEXT NOT NULL,        -- for each seat, JSON
    ending TEXT NOT NULL,         -- how it ended
    forfeit INTEGER,              -- the seat that forfeited
    plies INTEGER NOT NULL,
    movers TEXT NOT NULL,         -- for each move an agent chose its seat, JSON
    seconds TEXT NOT NULL,        -- likewise: how long it took
    nodes TEXT NOT NULL,          -- likewise: states or simulations looked at
    versions TEXT NOT NULL        -- of what played it
);
INSERT INTO "games" VALUES(0,0,'random','greedy','["random", "greedy"]',1,1,'["b3", "b2", "c1", "c3", "a3", "a1"]','[-1.0, 1.0]','three in line',NULL,6,'[1, 0, 1, 0, 1]','[0.000112, 3.2e-05, 6.4e-05, 2.1e-05, 5.6e-05]','[8, 0, 6, 0, 4]','gamelab 0.1.0 (709d0a2e1fa8f454), python 3.11.7, numpy 2.4.6, numba 0.68.1, llvmlite 0.50.0, x86_64');
INSERT INTO "games" VALUES(1,0,'greedy','random','["random", "greedy"]',1,1,'["b3", "a1", "b2", "c2", "b1"]','[1.0, -1.0]','three in line',NULL,5,'[1, 0, 1, 0]','[2.5e-05, 7.3e-05, 2e-05, 5.6e-05]','[0, 7, 0, 5]','gamelab 0.1.0 (709d0a2e1fa8f454), python 3.11.7, numpy 2.4.6, numba 0.68.1, llvmlite 0.50.0, x86_64');
INSERT INTO "games" VALUES(2,1,'random','greedy','["random", "greedy"]',1,1,'["b2", "c1", "c2", "a2", "c3", "a1", "b1", "a3"]','[-1.0, 1.0]','three in line',NULL,8,'[1, 0, 1, 0, 1, 0, 1]','[7.3e-05, 2.1e-05, 9.2e-05, 2e-05, 4.9e-05, 1.9e-05, 3.9e-05]','[8, 0, 6, 0, 4, 0, 2]','gamelab 0.1.0 (709d0a2e1fa8f454), python 3.11.7, numpy 2.4.6, numba 0.68.1, llvmlite 0.50.0, x86_64');
INSERT INTO "games" VALUES(3,1,'greedy','random','["random", "greedy"]',1,1,'["b2", "a1", "c1", "a2", "a3"]','[1.0, -1.0]','three in line',NULL,5,'[1, 0, 1, 0]','[0.0001, 0.000109, 2e-05, 5.6e-05]','[0, 7, 0, 5]','gamelab 0.1.0 (709d0a2e1fa8f454), python 3.11.7, numpy 2.4.6, numba 0.68.1, llvmlite 0.50.0, x86_64');
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "meta" VALUES('budgets','{"random": "none", "greedy": "depth"}');
INSERT INTO "meta" VALUES('format','1');
INSERT INTO "meta" VALUES('games','4');
INSERT INTO "meta" VALUES('setup','{"game": "tictactoe", "parameters": {}, "agents": ["random", "greedy"], "seed": 1, "opening_plies": 1, "move_limit": null}');
COMMIT;
