// The HBM meter: its bar is drawn by the style sheet from the bytes themselves.
import {memory} from "../core/words.mjs";
import {slots} from "./dom.mjs";

const LENGTHS = {
  "--weights-bytes": "weight_bytes_per_gpu",
  "--kv-bytes": "kv_bytes_per_gpu",
  "--draft-bytes": "draft_bytes",
  "--reserve-bytes": "reserved_bytes",
  "--hbm": "hbm_limit_bytes",
  "--used": "hbm_used_bytes",
};

export function meter(root) {
  const write = slots(root);
  const set = {};
  const place = document.createElement("div");
  place.className = "meter-place";

  function unpin() {
    root.classList.remove("pinned");
    place.remove();
  }

  return {
    show({report}) {
      write(memory(report));
      for (const [variable, name] of Object.entries(LENGTHS)) {
        if (set[variable] === report[name]) continue;
        set[variable] = report[name];
        root.style.setProperty(variable, report[name]);
      }
      root.classList.toggle("over", !report.fits);
      root.classList.toggle("weights-over", report.weight_bytes_per_gpu > report.hbm_limit_bytes);
    },

    /** What a screen reader says for the bar. */
    describe({report}) {
      const {meter, room} = memory(report);
      root.querySelector(".bar").setAttribute("aria-label", `${meter}, ${room}`);
    },

    /** Keep it in sight, small, until the pointer is let go; its place is kept. */
    pin() {
      const {top, height} = root.getBoundingClientRect();
      if (top >= 0) return;
      place.style.height = `${height}px`;
      root.before(place);
      root.classList.add("pinned");
      for (const end of ["pointerup", "pointercancel"]) {
        addEventListener(end, unpin, {capture: true, once: true});
      }
    },
  };
}
