// Bokeh's figures, and when each is repainted: the numbers come first, and are painted before a
// figure takes any time.
//
// In a run of moves one figure is repainted a frame, in turn. Where the machine is too slow for
// that, so that frames come late, figures wait: they have a ninth of the time.

/** Two frames of a screen, and half of one more. [ms] */
const LATE_MS = 42;

export class Repaints {
  /** @param {{draw: Function}[]} figures */
  constructor(figures) {
    this.figures = figures;
    this.behind = [];         // those that do not show the present state, the longest waiting first
    this.waits = -Infinity;   // until then none is repainted in a run
  }

  /** None shows the present state any more. */
  changed() {
    this.behind.push(...this.figures.filter(each => !this.behind.includes(each)));
  }

  /** In a frame: repaint those whose turn it is, in a run or at once; whether any is still behind. */
  draw(store, now, run) {
    const due = !run ? this.figures.length : now < this.waits ? 0 : 1;
    const drawing = this.behind.splice(0, due);
    // After the frame: a lone move shows its numbers 2 ms sooner.
    if (drawing.length) setTimeout(() => { for (const each of drawing) each.draw(store); });
    if (drawing.length && run) this.watch(now);
    return this.behind.length > 0;
  }

  /** See how long it takes: Bokeh repaints in the next frame, so the one after that is late. */
  watch(now) {
    requestAnimationFrame(() => requestAnimationFrame(then => {
      if (then - now > LATE_MS) this.waits = then + 8 * (then - now);
    }));
  }
}
