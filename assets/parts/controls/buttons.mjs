// One of few names: a row of Material's buttons.
import data from "../../built/data.mjs";

export function buttons(root, {key, store, set}) {
  const {options} = data.inputs[key];
  let widget = null, showing = false;

  function tell(changes) {
    showing = true;
    widget.setv(changes);
    showing = false;
  }

  return {
    show({state}) {
      if (!widget || widget.value === state[key]) return;
      tell({value: state[key], active: options.indexOf(state[key])});
    },
    lock(locked) {
      widget?.setv({disabled: locked});
    },
    connect(model) {
      widget = model;
      widget.properties.value.change.connect(() => { if (!showing) set(widget.value); });
      this.show(store);
    },
    /** Tell the widget its value once more: one that was not mounted yet did not hear it. */
    resync() {
      showing = true;
      widget.properties.value.change.emit();
      showing = false;
    },
  };
}
