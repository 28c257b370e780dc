"""The solver agent."""

from __future__ import annotations

import numpy as np

from gamelab.agents.base import MEBIBYTE, TIME, Agent, Analysis, Rng, check_decision
from gamelab.core.errors import AgentError, ParameterError
from gamelab.core.game import Parameter
from gamelab.core.state import State
from gamelab.search.clock import stop_after
from gamelab.search.solver import DEFAULT_NODES, METHODS, Proof
from gamelab.search.solver import Solver as Search

__all__ = ["Solver"]


class Solver(Agent):
    """Plays what is proven best, else what promises most; see `gamelab.search.solver`.

    It knows wins from draws and losses, but not near ones from far ones.
    """

    name = "solver"
    options = {  # noqa: RUF012
        "nodes": Parameter(
            None, f"positions a move at most (default {DEFAULT_NODES} if no budget is given)", low=1, kind=int, high=1 << 50
        ),
        "time": TIME,
        "memory": Parameter(64, "MiB for the table at most", low=1, high=1 << 20),
        "method": Parameter("dfpn", "proof-number search, or depth-first search for the outcome alone", choices=tuple(METHODS)),
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        if not any(self.settings[budget] for budget in ("nodes", "time")):
            self.settings["nodes"] = DEFAULT_NODES
        self._search: Search | None = None

    @property
    def budget(self) -> str:
        return "time" if self.settings["time"] else "nodes"

    def new_game(self) -> None:
        if self._search is not None:
            self._search.forget()

    def choose(self, state: State, rng: Rng) -> int:
        check_decision(state)
        search = self._search_for(state)
        only = self._only_action(state)
        if only is not None:
            return only
        return self._run(search, state, check=False).action

    def analyse(self, state: State, rng: Rng) -> Analysis:
        """As `Agent.analyse`. Proof numbers' claims are checked; `details` tell the status and the size of the proof."""
        check_decision(state)
        proof = self._run(self._search_for(state), state, check=True)
        return Analysis(
            proof.action,
            value=proof.promises[proof.action] if proof.value is None else float(proof.value),
            nodes=proof.nodes,
            seconds=proof.seconds,
            principal_variation=proof.principal_variation or [proof.action],
            scores=proof.promises,
            proven=proof.proven,
            details={"status": proof.status, "proof_size": proof.proof_size},
        )

    def _try_out(self, state: State, rng: np.random.Generator) -> None:
        self._search_for(state).search(state.array, nodes=1000, stop=np.zeros(1, np.uint8))

    def _run(self, search: Search, state: State, *, check: bool) -> Proof:
        nodes = self.settings["nodes"] or np.iinfo(np.int64).max // 2
        with stop_after(self.settings["time"]) as stop:
            self._stop_flag = stop
            find = search.solve if check else search.search
            proof = find(state.array, nodes=nodes, stop=stop)
        self._stop_flag = None
        self.last_nodes = proof.nodes
        return proof

    def _search_for(self, state: State) -> Search:
        if self._search is None or self._search.game != state.game:
            try:
                self._search = Search(state.game, self.settings["memory"] * MEBIBYTE, self.settings["method"])
            except (AgentError, ParameterError) as error:
                raise AgentError(f"{self.spec}: {error}") from None
        return self._search
