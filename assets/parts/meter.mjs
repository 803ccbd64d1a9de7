// The HBM meter: its bar is drawn by the style sheet from the bytes themselves.

const meter = document.getElementById("meter");
const set = {};

const METER = {
  "--weights-bytes": "weight_bytes_per_gpu",
  "--kv-bytes": "kv_bytes_per_gpu",
  "--draft-bytes": "draft_bytes",
  "--reserve-bytes": "reserved_bytes",
  "--hbm": "hbm_limit_bytes",
  "--used": "hbm_used_bytes",
};

/** Set the bar's lengths; words are written elsewhere. */
export function showMeter(report) {
  // On the meter itself: a variable on the root would restyle every control's shadow tree.
  for (const [variable, name] of Object.entries(METER)) {
    if (set[variable] === report[name]) continue;
    set[variable] = report[name];
    meter.style.setProperty(variable, report[name]);
  }
  const {classList} = document.documentElement;
  classList.toggle("over", !report.fits);
  classList.toggle("weights-over", report.weight_bytes_per_gpu > report.hbm_limit_bytes);
}

/** What a screen reader says for the bar. */
export function describeMeter() {
  const [asked, room] = ["meter", "room"].map(name => meter.querySelector(`[data-text="${name}"]`).textContent);
  meter.querySelector(".bar").setAttribute("aria-label", `${asked}, ${room}`);
}

// On a phone it stays in sight, small, while a control is dragged; its place is kept.

const phone = matchMedia("(max-width: 780px)");
const place = document.createElement("div");
place.className = "meter-place";

document.querySelector(".controls").addEventListener("pointerdown", event => {
  if (!phone.matches || event.target.closest("input, button")) return;
  const box = meter.getBoundingClientRect();
  if (box.bottom > 90) return;
  place.style.height = `${box.height}px`;
  meter.before(place);
  meter.classList.add("pinned");
}, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    meter.classList.remove("pinned");
    place.remove();
  }, true);
}
