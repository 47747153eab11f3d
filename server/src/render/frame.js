// Tells the page how tall the document is, and keeps links from emptying the frame. The page trusts none of it: any
// script in here could say the same.
(() => {
  const root = document.documentElement;
  const tell = () => parent.postMessage(Math.ceil(root.getBoundingClientRect().height), "*");
  new ResizeObserver(tell).observe(root);
  addEventListener("message", (event) => event.source === parent && tell());
  addEventListener("load", tell);
  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[href], area[href]");
    if (link && !link.getAttribute("href").startsWith("#")) event.preventDefault();
  }, true);
})();
