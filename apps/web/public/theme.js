// Before the first paint, so a person who chose dark never sees a white flash. The key is the one in src/ui/theme.tsx.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("malote.theme");
  } catch {}
  const dark =
    choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
