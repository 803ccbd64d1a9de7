// The browser's address bar, where the page may write to it.

/** Put a query into it; with "pushState" the browser's Back leads to where one was. */
export function writeAddress(search, how = "replaceState") {
  const target = location.pathname + search + location.hash;
  if (target === location.pathname + location.search + location.hash) return;
  try {
    history[how](null, "", target);
  } catch {
    // A sandboxed frame or a file may not have an address of its own.
  }
}

/** The whole address with a query, or undefined where the page has none of its own. */
export function linkTo(search) {
  return /^(https?|file):$/.test(location.protocol) ? new URL(location.pathname + search, location.href).href : undefined;
}
