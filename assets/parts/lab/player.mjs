// Play, pause, step, scrub: which moment of the replays is shown.

const STEPS = 1000;

/**
 * @param {HTMLElement} root
 * @param {(share: number) => void} show is told the moment, as a share of the whole time
 * @param {(share: number) => number} following is the moment of the next pass after one
 */
export function player(root, show, following) {
  const play = root.querySelector(".play"), scrub = root.querySelector("input"), speed = root.querySelector("select");
  let share = 1, frame = 0, last = 0;

  function go(to) {
    share = Math.min(Math.max(to, 0), 1);
    scrub.value = String(Math.round(share * STEPS));
    show(share);
  }

  function tick(now) {
    go(share + (now - last) / (1000 * Number(speed.value)));
    last = now;
    if (share < 1) frame = requestAnimationFrame(tick);
    else pause();
  }

  function start() {
    if (share >= 1) go(0);
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
    go(following(share >= 1 ? 0 : share));
  });
  scrub.addEventListener("input", () => {
    pause();
    go(Number(scrub.value) / STEPS);
  });

  return {
    /** The whole of it, as after a change. */
    end() {
      pause();
      go(1);
    },
    pause,
    get share() { return share; },
  };
}
