// A clock that runs only while the page is seen.

export function stopwatch() {
  let before = 0, since = performance.now();   // what was counted until the page was seen last

  const elapsed = () => document.hidden ? 0 : performance.now() - since;

  function turn() {
    if (document.hidden) before += performance.now() - since;
    since = performance.now();
  }

  document.addEventListener("visibilitychange", turn);

  return {
    start() {
      before = 0;
      since = performance.now();
    },
    get seconds() {
      return Math.round((before + elapsed()) / 1000);
    },
    close() {
      document.removeEventListener("visibilitychange", turn);
    },
  };
}
