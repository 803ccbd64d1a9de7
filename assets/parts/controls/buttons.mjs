// One of few names: Material's buttons, and all that is known of their insides on this side. What
// is beyond their first row is shown when it is asked for, or set.
/** Buttons in a row. */
const ROW = 4;

/** How far a key leads, in buttons. */
const STEPS = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -ROW, ArrowDown: ROW, Home: -Infinity, End: Infinity};

export function buttons(root, {key, store, set}) {
  const more = root.querySelector(".more");
  let widget = null, showing = false;
  let current = "";

  const list = () => [...root.querySelector(".widget > *")?.shadowRoot.querySelectorAll("button") ?? []];

  function tell(changes) {
    showing = true;
    widget.setv(changes);
    showing = false;
  }

  /** The keyboard comes to the pressed one, and leaves from any: one stop for all of them. */
  function rove(stop = list().find(each => each.value === store.state[key])) {
    for (const each of list()) each.tabIndex = each === stop ? 0 : -1;
  }

  function expand(open) {
    more?.setAttribute("aria-expanded", String(open));
  }

  more?.addEventListener("click", () => expand(more.getAttribute("aria-expanded") === "false"));
  root.addEventListener("keydown", event => {
    const here = event.composedPath()[0], visible = list().filter(each => each.offsetParent);
    const at = visible.indexOf(here), step = STEPS[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    const next = visible[Math.min(Math.max(at + step, 0), visible.length - 1)];
    rove(next);
    next.focus();
  });
  root.addEventListener("focusout", ({relatedTarget}) => {
    if (!root.contains(relatedTarget)) rove();
  });

  return {
    show({state}) {
      if (current !== state[key]) {
        current = state[key];
        if (widget && widget.options.indexOf(current) >= ROW) expand(true);
        rove();
      }
      if (!widget || widget.value === current) return;
      tell({value: current, active: widget.options.indexOf(current)});
    },
    lock(isLocked) {
      widget?.setv({disabled: isLocked});
    },
    connect(material) {
      widget = material;
      current = "";
      widget.properties.value.change.connect(() => { if (!showing) set(widget.value); });
      this.show(store);
    },
    /** Tell the widget its value once more: one that was not mounted yet did not hear it. */
    resync() {
      showing = true;
      widget.properties.value.change.emit();
      showing = false;
      rove();
    },
  };
}
