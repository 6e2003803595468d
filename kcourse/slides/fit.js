// Fit the type to each page: the largest letters between 28 and 40 px with which the page is at most 92 % full.
// This runs once, before reveal.js, while all pages are laid out at 1280 by 720, so no screen, view or click changes a size.
window.fit = () => {
  const SMALLEST = 28, LARGEST = 40, FULL = 0.92 * 720, LEAST_PICTURE = 300;
  const FORMULA = 100 * MathJax.config.svg.scale, LEAST_FORMULA = 0.8;
  const pages = [...document.querySelectorAll(".page")].map((page) => ({
    page, body: page.querySelector(".body"), low: SMALLEST, high: LARGEST,
    pictures: [...page.querySelectorAll(".body img")], formulas: [...page.querySelectorAll(".body mjx-container[display]")],
  }));
  const set = (p, size) => p.page.style.setProperty("--body", `${size}px`);
  const end = (p) => p.body.getBoundingClientRect().bottom - p.page.getBoundingClientRect().top;
  const room = (formula) => formula.parentElement.clientWidth /
    Math.max(formula.getBoundingClientRect().width, formula.firstElementChild.getBoundingClientRect().width);
  const fits = (p) => end(p) <= FULL && p.body.scrollWidth <= p.body.clientWidth
    && p.formulas.every((formula) => room(formula) >= LEAST_FORMULA + 0.03);

  // the largest size with which a line of code, a row of a table or a title is still one line
  pages.forEach((p) => set(p, LARGEST));
  document.documentElement.classList.add("unbroken");
  const lines = [["h2", 36, 44], ["pre", 22, 30], ["table", 22, 30]].flatMap(([what, least, most]) =>
    pages.flatMap((p) => [...p.page.querySelectorAll(what)].map((e) => {
      const need = Math.max(e.scrollWidth, e.offsetWidth), has = Math.min(e.parentElement.clientWidth, p.body.clientWidth);
      return [e, Math.max(least, Math.min(most, Math.floor((most * has) / need)))];
    })));
  document.documentElement.classList.remove("unbroken");
  lines.forEach(([e, size]) => e.style.setProperty("--most", `${size}px`));

  // pictures get the space that the smallest letters leave
  pages.forEach((p) => p.pictures.length && set(p, SMALLEST));
  pages.forEach((p) => p.pictures.forEach((picture) => (picture.style.height = "0")));
  const left = pages.map((p) => {
    const columns = p.body.classList.contains("columns");
    const high = columns ? FULL - (p.body.getBoundingClientRect().top - p.page.getBoundingClientRect().top) : FULL - end(p);
    const apart = new Set(p.pictures.map((picture) => picture.closest(".figure"))).size; // those of an interactive figure overlap
    return [Math.max(LEAST_PICTURE, high / Math.max(1, apart)), p.body.clientWidth * (columns ? 0.66 : 1)];
  });
  pages.forEach((p, i) => p.pictures.forEach((picture) => {
    const [wide, high] = [picture.getAttribute("width"), picture.getAttribute("height")];
    picture.style.height = `${Math.floor(Math.min(left[i][0], (left[i][1] * high) / wide))}px`;
  }));

  // most pages fit with the largest letters; the others are laid out four times, all at once
  for (let open = pages; open.length; open = open.filter((p) => p.low < p.high)) {
    open.forEach((p) => set(p, (p.tried = open === pages ? LARGEST : Math.ceil((p.low + p.high) / 2))));
    const good = open.map(fits);
    open.forEach((p, i) => (good[i] ? (p.low = p.tried) : (p.high = p.tried - 1)));
  }
  pages.forEach((p) => p.low < p.tried && set(p, p.low));
  for (let share = 0.98; share > LEAST_FORMULA - 0.01; share -= 0.02) { // in steps, because browsers round the height of an x
    const wide = pages.flatMap((p) => p.formulas).filter((formula) => room(formula) < 1);
    wide.forEach((formula) => (formula.style.fontSize = `${FORMULA * share}%`));
  }
  const free = pages.map((p) => Math.max(0, FULL - end(p)));
  pages.forEach((p, i) => (p.body.style.marginTop = `${Math.round(0.4 * free[i])}px`)); // a little above the middle
};
