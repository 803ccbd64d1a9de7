"""A whole request: prefill, then its output."""

from __future__ import annotations

from calc.quantity import Value


def mean_context_len(prompt_len: Value, output_len: Value) -> Value:
    """Tokens that a sequence holds in its cache, averaged over its output.

    Parameters
    ----------
    prompt_len, output_len : quantity

    Returns
    -------
    same shape
        [tokens]

    Notes
    -----
    P + O/2: the cache grows by one token per step. Holds for requests of one length.

    References
    ----------
    Closed form.
    """
    return prompt_len + output_len / 2


def served_tokens_per_s(
    output_len: Value,
    ttft_s: Value,
    request_tpot_s: Value,
    batch_per_pass: Value,
    batches_at_once: Value,
) -> Value:
    """Output tokens per second of GPUs that also do their own prefills.

    Parameters
    ----------
    output_len, ttft_s, request_tpot_s, batch_per_pass, batches_at_once : quantity

    Returns
    -------
    same shape
        [tokens/s]

    Notes
    -----
    O / (t_prefill + O · t_token / B) of each batch at once: each request's prefill is its own, its
    decode is shared by the batch. No queueing, no idle slots: a ceiling. O steps are charged,
    though the first token comes with the prefill: too low for outputs of few tokens.

    References
    ----------
    The inference-economics lesson, cost model.
    """
    return batches_at_once * output_len / (ttft_s + output_len * request_tpot_s / batch_per_pass)


def prefill_fraction(
    ttft_s: Value, output_len: Value, request_tpot_s: Value, batch_per_pass: Value
) -> Value:
    """Prefill's share of the time that a GPU spends on a request.

    Parameters
    ----------
    ttft_s, output_len, request_tpot_s, batch_per_pass : quantity

    Returns
    -------
    same shape
        [ratio]

    Notes
    -----
    t_prefill / (t_prefill + O · t_token / B), charged as in `served_tokens_per_s`.

    References
    ----------
    The inference-economics lesson, cost model.
    """
    return ttft_s / (ttft_s + output_len * request_tpot_s / batch_per_pass)
