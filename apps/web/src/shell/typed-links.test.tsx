/** What the router knows of every page: its path, its parameters, and what they may be. */
import { Link } from "@tanstack/react-router";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, expectTypeOf, it } from "vitest";
import { features } from "../entries/features.ts";
import { renderApp } from "../testing/render-app.tsx";
import { transfersSearch } from "../transfers/search.ts";
import { page } from "./feature.ts";
import { pathOf } from "./routes.ts";

const links = () => (
  <>
    <h1>Atalhos</h1>
    <Link to={pathOf("TransfersPage")} search={{ mes: "2026-02", pagina: 2, lote: "abc" }}>
      Transferências
    </Link>
    <Link to={pathOf("ReceivablesPage")} search={{ status: ["received", "refunded"] }}>
      Recebimentos
    </Link>
    <Link to={pathOf("InfractionPage")} params={{ infractionId: "i1" }}>
      Infração
    </Link>
    {/* @ts-expect-error a page number is no text */}
    <Link to={pathOf("TransfersPage")} search={{ pagina: "2" }} />
    {/* @ts-expect-error no payin has this status */}
    <Link to={pathOf("ReceivablesPage")} search={{ status: ["gone"] }} />
    {/* @ts-expect-error the list of links has no month */}
    <Link to={pathOf("PaymentLinkPage")} search={{ mes: "2026-02" }} />
    {/* @ts-expect-error an infraction is named in its path */}
    <Link to={pathOf("InfractionPage")} />
    {/* @ts-expect-error no page has this path */}
    <Link to="/pagamentos/transferencia" />
  </>
);

it("links say what the page they lead to reads, and nothing else", async () => {
  const shortcuts = page("WaitingBatchesPage", { title: "Atalhos", load: async () => ({ default: links }) });
  renderApp("/pagamentos/lotes-aguardando-recebimento", { features: [{ pages: [shortcuts] }] });
  await screen.findByRole("heading", { name: "Atalhos" });
  const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(hrefOf("Transferências")).toBe("/pagamentos/transferencias?mes=2026-02&pagina=2&lote=abc");
  expect(hrefOf("Recebimentos")).toBe("/recebimentos/recebiveis?status=received%2Crefunded");
  expect(hrefOf("Infração")).toBe("/contestacoes/infracoes/i1");
});

it("every path is known by its name", () => {
  expectTypeOf(pathOf("BatchesPage")).toEqualTypeOf<"/pagamentos/lotes">();
  const paths = features.flatMap(({ pages }) => pages.map(({ path, name }) => [name && pathOf(name), path]));
  for (const [named, path] of paths) expect(named).toBe(path);
});

it("what an address says that its page does not know leaves it, and the rest stays in its order", async () => {
  const screens = page("TransfersPage", {
    title: "Transferências",
    search: transfersSearch,
    load: async () => ({ default: () => <h1>Aqui</h1> }),
  });
  const app = renderApp("/pagamentos/transferencias?status=falha&pagina=abc&mes=2026-02&x=1", {
    features: [{ pages: [screens] }],
  });
  await screen.findByRole("heading", { name: "Aqui" });
  await waitFor(() => expect(app.address()).toBe("/pagamentos/transferencias?status=falha&mes=2026-02&x=1"));
  act(() => app.history.push("/pagamentos/transferencias?busca=1&status=falha"));
  await waitFor(() => expect(app.address()).toBe("/pagamentos/transferencias?busca=1&status=falha"));
});
