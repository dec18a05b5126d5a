/** Expressions to evaluate in a page. */

/** Evaluates to a list of accessibility faults: contrast, labels, alt texts, sizes, document structure, language. */
export const FAULTS = `(() => {
  const faults = [];
  const luminance = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).slice(0, 3)
    .map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const groundOf = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$/.test(c)) return c; } return "rgb(255,255,255)"; };
  for (const e of document.body.querySelectorAll("*")) {
    if (e.closest("[aria-hidden]") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.matches("script")) continue;
    const [a, b] = [luminance(getComputedStyle(e).color), luminance(groundOf(e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) faults.push("contrast of " + e.textContent.trim());
  }
  for (const e of document.querySelectorAll("input:not([type=hidden]), textarea")) if (!e.labels.length) faults.push("no label: " + e.name);
  for (const e of document.querySelectorAll("a, button, input:not([type=hidden], [type=checkbox])")) {
    if (e.getBoundingClientRect().height < 24) faults.push("too small to tap: " + (e.textContent || e.name));
  }
  for (const e of document.querySelectorAll("img:not([alt])")) faults.push("no alt: " + e.src);
  for (const e of document.querySelectorAll("[aria-describedby]")) if (!document.getElementById(e.getAttribute("aria-describedby"))) faults.push("described by nothing");
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window");
  if (document.querySelectorAll("h1, main").length !== 2 || !document.documentElement.lang || !document.title) faults.push("no frame");
  return faults;
})()`;
