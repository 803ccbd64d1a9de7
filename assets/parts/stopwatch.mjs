// A clock that runs only while the page is seen.

export function stopwatch() {
  let before = 0, since = 0;

  function turn() {
    if (document.hidden) before += performance.now() - since;
    else since = performance.now();
  }

  document.addEventListener("visibilitychange", turn);

  return {
    start() {
      before = 0;
      since = performance.now();
    },
    get seconds() {
      return Math.round((before + performance.now() - since) / 1000);
    },
    close() {
      document.removeEventListener("visibilitychange", turn);
    },
  };
}
