// Before the first paint. The HTML has the default's numbers: an address that asks for a state of
// its own shows nothing until that is computed; any other is painted first, and computed then. It
// stands in the HTML: to wait for a file of its own would be a second way to the server and back.
{
  /** A page that nobody sees is not painted, and does not wait for it. [ms] */
  const UNSEEN = 300;
  const isQueried = location.search.length > 1;
  const {entry} = document.currentScript.dataset;
  const boot = () => import(entry);
  document.documentElement.toggleAttribute("data-query", isQueried);
  addEventListener("DOMContentLoaded", () => {
    if (isQueried) return void boot();
    // Not a task earlier: a module that is read meanwhile takes the processor from what paints.
    new PerformanceObserver(boot).observe({type: "paint", buffered: true});
    setTimeout(boot, UNSEEN);
  });
}
