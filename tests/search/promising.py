"""The obvious way to do what `gamelab.search.forward_pruning` does: sort all actions and take the first ones."""

from gamelab.core import kernels


def promising(state, width):
    """The legal actions with the highest priors, of alike ones the lowest; all of them, if width is None. Ascending."""
    if width is None:
        return state.legal_actions()
    ranked = sorted(state.legal_actions(), key=lambda action: (-kernels.action_prior(state.array, action), action))
    return sorted(ranked[:width])
