// Before the first paint, so a person who chose dark never sees a white flash. The key is the one in src/ui/theme.tsx.
try {
  const choice = localStorage.getItem("malote.theme");
  if (choice === "dark" || choice === "light") document.documentElement.dataset.theme = choice;
} catch {}
