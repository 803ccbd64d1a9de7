"""What a replay comes to in all, in words."""

#: What comes out in all, in the order in which it is printed: what it is, and its unit.
TOTALS = {
    "n_requests": ("requests", ""),
    "n_finished": ("requests that were served to their end", ""),
    "n_preemptions": ("times that a request gave way to others", ""),
    "n_steps": ("forward passes", ""),
    "n_gpus": ("GPUs", ""),
    "makespan_s": ("from the first arrival to the last token", "s"),
    "prefilled_tokens": ("prompt tokens that were computed", "tokens"),
    "output_tokens": ("output tokens", "tokens"),
    "tokens_per_s": ("throughput", "tokens/s"),
    "tokens_per_s_per_gpu": ("throughput of each GPU", "tokens/s"),
    "slot_utilisation": ("share of slot time that serves a request", ""),
    "kv_holding_fraction": ("share of the reserved cache that holds tokens", ""),
    "kv_most_fraction": ("most of the cache that was reserved at a time", ""),
    "wait_mean_s": ("mean wait for a slot", "s"),
    "request_mean_s": ("mean time from arrival to the last token", "s"),
    "ttft_mean_s": ("mean time to the first token", "s"),
    "ttft_p50_s": ("time to the first token, of half at most", "s"),
    "ttft_p99_s": ("time to the first token, of 99 in 100 at most", "s"),
    "itl_p50_s": ("time between tokens, of half at most", "s"),
    "itl_p99_s": ("time between tokens, of 99 in 100 at most", "s"),
    "goodput_per_s": ("requests that keep both limits", "1/s"),
}
