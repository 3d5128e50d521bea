// Tables that are wider than the page: a sign above says so, and the keyboard scrolls them.

function mark(wrapper) {
  const isWide = wrapper.scrollWidth > wrapper.clientWidth + 1;
  if (isWide === wrapper.hasAttribute("tabindex")) return;
  if (!isWide) {
    wrapper.removeAttribute("tabindex");
    wrapper.removeAttribute("role");
    wrapper.previousElementSibling.remove();
    return;
  }
  const sign = document.createElement("p");
  sign.className = "table-sign";
  sign.textContent = "This table has more columns to the right →";
  wrapper.before(sign);
  wrapper.tabIndex = 0;
  wrapper.setAttribute("role", "region");
  wrapper.setAttribute("aria-label", "Wide table");
}

document.addEventListener("DOMContentLoaded", () => {
  const watcher = new ResizeObserver((seen) => seen.forEach(({ target }) => mark(target)));
  document.querySelectorAll(".table-wrapper").forEach((one) => watcher.observe(one));
});
