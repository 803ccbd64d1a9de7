// Play, pause, step, scrub: which moment of the replays is shown.

const STEPS = 1000;

/**
 * @param {HTMLElement} root
 * @param {(at_s: number) => void} show is told the moment
 * @param {(at_s: number) => number} following is the moment of the next pass after one
 */
export function player(root, show, following) {
  const play = root.querySelector(".play"), scrub = root.querySelector("input"), speed = root.querySelector("select");
  let at_s = 0, start_s = 0, end_s = 0, frame = 0, last = 0;

  function go(to) {
    at_s = Math.min(Math.max(to, start_s), end_s);
    scrub.value = String(Math.round(STEPS * (at_s - start_s) / (end_s - start_s)));
    show(at_s);
  }

  function tick(now) {
    go(at_s + (end_s - start_s) * (now - last) / (1000 * Number(speed.value)));
    last = now;
    if (at_s < end_s) frame = requestAnimationFrame(tick);
    else pause();
  }

  function start() {
    if (at_s >= end_s) go(start_s);
    last = performance.now();
    frame = requestAnimationFrame(tick);
    tell();
  }

  function pause() {
    cancelAnimationFrame(frame);
    frame = 0;
    tell();
  }

  function tell() {
    play.classList.toggle("playing", frame > 0);
    play.setAttribute("aria-label", frame ? "Pause" : "Play");
  }

  play.addEventListener("click", () => {
    if (frame) pause();
    else start();
  });
  root.querySelector(".step").addEventListener("click", () => {
    pause();
    go(following(at_s >= end_s ? start_s : at_s));
  });
  scrub.addEventListener("input", () => {
    pause();
    const share = Number(scrub.value) / STEPS;
    go(share < 1 ? start_s + share * (end_s - start_s) : end_s);
  });

  return {
    /** The whole of it, as after a change: from the first arrival to the last token. */
    span(from_s, to_s) {
      pause();
      [start_s, end_s] = [from_s, to_s];
      go(end_s);
    },
    pause,
  };
}
