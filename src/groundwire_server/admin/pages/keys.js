// Keys of a work list: J and K go from row to row; any other key clicks what bears it as data-key,
// in the row that has the focus or else on the page. A vote in a row goes on to the next one.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable], [role=combobox]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  const rows = [...document.querySelectorAll(".work-row")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const go = (to) => {
    const link = rows[to]?.querySelector("a, summary");
    link?.focus();
    link?.closest(".work-row").scrollIntoView({ block: "nearest" });
  };
  if (rows.length && (key === "j" || key === "k")) {
    go(key === "j" ? at + 1 : Math.max(at - 1, 0));
    return;
  }
  if (rows.length && at < 0) return;
  const target = (rows[at] ?? document).querySelector(`[data-key="${CSS.escape(key)}"]`);
  target?.click();
  if (target && at >= 0) go(at + 1);
});
// While the connection is lost nothing can be typed that would be lost with it. A server that began
// anew knows no sign-in: its login page leads back here, where what was typed stands again.
const popup = document.getElementById("popup");
let focused = null;
async function follow() {
  const content = document.querySelector(".nicegui-content");
  const lost = popup.ariaHidden === "false";
  if (lost && !content.inert) focused = document.activeElement;
  content.inert = lost;
  if (!lost) return focused?.focus();
  const login = await fetch("/login", { redirect: "manual" }).catch(() => null);
  if (login?.status === 200) location.reload();
  else setTimeout(follow, 1000);
}
new MutationObserver(follow).observe(popup, { attributeFilter: ["aria-hidden"] });
