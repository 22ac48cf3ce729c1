import { act, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { features } from "../entries/features.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { page } from "./feature.ts";

it("names the tab by the open page and the brand, and again when another page opens", async () => {
  const screens = placeholderScreens("TransfersPage", "ReceiversPage");
  const { history } = renderApp("/pagamentos/transferencias", {
    features: [screens],
    brand: { name: "Horizonte" },
  });
  await screen.findByRole("heading", { name: "TransfersPage" });
  await waitFor(() => expect(document.title).toBe("TransfersPage · Horizonte"));
  // The search of a page is no other page.
  act(() => history.push("/pagamentos/transferencias?pagina=2"));
  await waitFor(() => expect(history.location.search).toBe("?pagina=2"));
  expect(document.title).toBe("TransfersPage · Horizonte");
  act(() => history.push("/pagamentos/recebedores"));
  await screen.findByRole("heading", { name: "ReceiversPage" });
  await waitFor(() => expect(document.title).toBe("ReceiversPage · Horizonte"));
});

it("names the tab of a page that the person may not open", async () => {
  renderApp("/minha-empresa/limites", { features, session: { profile: "operator" } });
  await screen.findByRole("heading", { name: /não tem permissão/ });
  await waitFor(() => expect(document.title).toBe("Acesso negado · Malote"));
});

it("names the tab of a page whose code does not arrive", async () => {
  document.title = "Abrindo…";
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const missing = page("TransfersPage", {
    title: "Suas transferências",
    load: () => Promise.reject(new Error("not there")),
  });
  renderApp("/pagamentos/transferencias", { features: [{ pages: [missing] }] });
  await screen.findByText("Não foi possível abrir esta página");
  await waitFor(() => expect(document.title).toBe("Suas transferências · Malote"));
});

it("has a title of its own for every page", () => {
  const titles = features.flatMap(({ pages }) => pages.map(({ title }) => title));
  expect(titles.filter((title) => title.trim() === "")).toEqual([]);
  expect(new Set(titles).size).toBe(titles.length);
});
