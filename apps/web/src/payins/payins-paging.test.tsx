/** Pages of the payins: by number, or by cursor when there are too many. */
import { listPayins, type Payin } from "@malote/contracts/payins";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildPayin, pageOfPayins, payinsHome, rowOf, servePayins } from "../testing/payins.ts";
import { renderApp } from "../testing/render-app.tsx";

const isOff = (element: Element) => element.hasAttribute("disabled");
const asked = () => fakeServer.calls(listPayins).map(({ query }) => query);
let all: Payin[];
beforeEach(() => {
  all = [buildPayin()];
  servePayins(() => all);
});

it("PAY-004 pages by cursor when the answer has cursors, else by number", async () => {
  fakeServer.on(listPayins, ({ query }) =>
    pageOfPayins(all, {
      totalItems: 10_001,
      // Two pages: the first has no previous page, the last no next one.
      next: query["page_cursor"] === "bmV4dA" ? null : "bmV4dA",
      previous: query["page_cursor"] === "bmV4dA" ? "cHJldg" : null,
    }),
  );
  const app = renderApp(`${payinsHome}?status=received`);
  await userEvent.click(await screen.findByRole("button", { name: "Próxima" }));
  expect(isOff(screen.getByRole("button", { name: "Anterior" }))).toBe(true);
  await waitFor(() =>
    expect(asked().at(-1)).toMatchObject({ page_cursor: "bmV4dA", status__in: "received" }),
  );
  expect(app.address()).toContain("cursor=bmV4dA");
  await waitFor(() => expect(isOff(screen.getByRole("button", { name: "Anterior" }))).toBe(false));
  expect(isOff(screen.getByRole("button", { name: "Próxima" }))).toBe(true);
  expect(screen.queryByRole("button", { name: /^Página/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Anterior" }));
  await waitFor(() =>
    expect(asked().at(-1)).toMatchObject({ page_cursor: "cHJldg", status__in: "received" }),
  );
  fakeServer.on(listPayins, () => pageOfPayins(all, { totalItems: 25 }));
  app.unmount();
  renderApp(payinsHome);
  await userEvent.click(await screen.findByRole("button", { name: "Página 3" }));
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ page: "2" }));
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Página 3" }).getAttribute("aria-current")).toBe("page"),
  );
});

it("an address beyond the last page opens an existing one", async () => {
  fakeServer.on(listPayins, ({ query }) =>
    query["page_cursor"]
      ? pageOfPayins([], { totalItems: 10_001, next: null, previous: null })
      : pageOfPayins(Number(query["page"]) > 2 ? [] : all, { totalItems: 25 }),
  );
  const numbered = renderApp(`${payinsHome}?pagina=9`);
  await rowOf("Bruno Sales");
  expect(numbered.address()).toBe(`${payinsHome}?pagina=3`);
  numbered.unmount();
  const placed = renderApp(`${payinsHome}?cursor=b2xk`);
  await rowOf("Bruno Sales");
  expect(placed.address()).toBe(payinsHome);
});
