"""Measured tokens per pass of published drafters."""

from __future__ import annotations

from calc.scenario import AcceptedTokens

#: Measured acceptance lengths, k = 1 to 8, the target's own token included.
ACCEPTANCES: dict[str, AcceptedTokens] = {
    "constant": AcceptedTokens(),
    # SemiAnalysisAI/InferenceX, golden_al_distribution: coding, thinking on.
    "kimi-k2.5-eagle3": AcceptedTokens(1.83, 2.43, 2.88, 3.24, 3.46, 3.62, 3.71, 3.77),
    "deepseek-v4-pro-mtp": AcceptedTokens(1.79, 2.27, 2.49, 2.54, 2.55, 2.55, 2.54, 2.58),
}
