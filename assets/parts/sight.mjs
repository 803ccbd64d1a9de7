// What of the page is in sight: what is not need not follow each step of a move.

export class Sight {
  #out = new WeakSet();

  /** @param {() => void} enter is told when something has come in */
  constructor(enter) {
    this.observer = new IntersectionObserver(entries => {
      let hasEntered = false;
      for (const {target, isIntersecting} of entries) {
        if (!isIntersecting) this.#out.add(target);
        else if (this.#out.delete(target)) hasEntered = true;
      }
      if (hasEntered) enter();
    });
  }

  watch(...elements) {
    for (const each of elements) this.observer.observe(each);
  }

  /** What was not judged yet counts as in sight. */
  has(element) {
    return !this.#out.has(element);
  }
}
