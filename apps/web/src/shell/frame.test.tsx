import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { readBalance } from "@malote/contracts/statement";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { call, errorSentence } from "./call.ts";
import { page } from "./feature.ts";
import { loadMaxMs, loadPart } from "./load-part.ts";
import { openDesk } from "./open-desk.ts";

beforeEach(() => {
  fakeServer.on(listBatches, () => ({
    data: [],
    summary: { count: 0, value: 0 },
    metadata: { pagination: { itemsPerPage: 9, totalItems: 0 } },
  }));
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
});

const title = () => screen.findByRole("heading", { level: 1, name: "Seus lotes" });

it("SHL-008 reads the balance again every 60 seconds", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const app = renderApp("/pagamentos/lotes");
  const askedAt: number[] = [];
  fakeServer.on(readBalance, () => {
    askedAt.push(Date.now());
    return { value: 4_821_037, waiting_value: 1_234_055 };
  });
  await screen.findByText(/48\.210,37/);
  // Waits for all parts: two minutes pass below, after which a loading part would be given up (SES-077).
  await settled(app);
  for (const round of [2, 3]) {
    await act(() => vi.advanceTimersByTimeAsync(59_000 - (Date.now() - (askedAt.at(-1) ?? 0))));
    expect(askedAt).toHaveLength(round - 1);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(askedAt).toHaveLength(round);
  }
});

it("SES-065 every call reports a missing connection", async () => {
  fakeServer.goOffline();
  const error = await call(readBalance).catch((failure: unknown) => failure);
  expect(errorSentence(error, "Não foi possível carregar.")).toBe("Você parece estar offline");
});

describe("a part of the application that does not arrive", () => {
  it("SES-065 reports a missing connection, and does not claim that a team was notified", async () => {
    const failed = new TypeError("Failed to fetch dynamically imported module");
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const missing = { ...page("BatchesPage", { title: "Lotes", load: () => Promise.reject(failed) }) };
    vi.spyOn(console, "error").mockReturnValue(undefined);
    renderApp("/pagamentos/lotes", { features: [{ pages: [missing] }] });
    await screen.findByText("Você parece estar offline");
    expect(screen.queryByText(/nosso time já sabe/)).toBeNull();
    vi.restoreAllMocks();
  });

  it("SES-077 every part that is loaded on demand has the same limit", () => {
    const folder = join(import.meta.dirname, "..");
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.tsx?$/.test(name) && !name.includes(".test.") && !name.startsWith("testing/"),
    );
    // The router limits pages; a test below opens one that never arrives.
    const limited =
      /\b(lazyPart|loadPart)\(\s*(async )?\(\) =>\s*(\(\{\s*default: \(await )?import\(|\bload: \(\) => import\(/g;
    const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
    const parts = sources.map((name) => {
      const text = readFileSync(join(folder, name), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
      const found = count(text, /\bimport\(/g);
      return {
        name,
        found,
        unlimited: found - count(text, limited) + count(text, /(?<!\w)lazy\((?!\(\) => loadPart\()/g),
      };
    });
    expect(parts.filter(({ unlimited }) => unlimited > 0)).toEqual([]);
    expect(parts.reduce((sum, { found }) => sum + found, 0)).toBeGreaterThan(80);
    const byPage = sources.filter((name) =>
      /\bload: \(\) => import\(/.test(readFileSync(join(folder, name), "utf8")),
    );
    expect(byPage.filter((name) => !name.endsWith("feature.ts"))).toEqual([]);
  });

  it("SES-077 a page that never arrives is replaced by the error page after 120 seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const never = {
      ...page("BatchesPage", { title: "Lotes", load: () => new Promise<never>(() => undefined) }),
    };
    renderApp("/pagamentos/lotes", { features: [{ pages: [never] }] });
    await act(() => vi.advanceTimersByTimeAsync(118_000));
    expect(screen.queryByText("Não foi possível abrir esta página")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    await screen.findByText("Não foi possível abrir esta página");
    vi.restoreAllMocks();
  });

  it("SES-077 an application that never arrives is given up on the opening page, which offers a retry", async () => {
    vi.useFakeTimers();
    document.body.innerHTML = '<div class="opening"><p role="status">Um instante</p></div>';
    const opening = openDesk(() => loadPart(() => new Promise(() => undefined)));
    const outcome = vi.fn();
    opening.catch(outcome);
    await vi.advanceTimersByTimeAsync(119_000);
    expect(screen.getByRole("status").textContent).toBe("Um instante");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(outcome).toHaveBeenCalledOnce();
    expect(screen.getByRole("alert").textContent).toContain("Não foi possível abrir sua mesa de pagamentos");
    expect(screen.getByRole("link", { name: "Recarregar a página" }).getAttribute("href")).toBe(
      location.href,
    );
    document.body.innerHTML = "";
  });

  it("SES-077 is given up after 120 seconds, not before", async () => {
    vi.useFakeTimers();
    const outcome = vi.fn();
    loadPart(() => new Promise(() => undefined)).catch(outcome);
    expect(loadMaxMs).toBe(120_000);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledOnce();
  });

  it("SES-077 leaves no timer behind when it arrives in time", async () => {
    vi.useFakeTimers();
    await expect(loadPart(() => Promise.resolve("part"))).resolves.toBe("part");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the keyboard", () => {
  it("Ctrl+K opens the palette, arrows and Enter open a page, Escape returns the focus", async () => {
    const user = userEvent.setup();
    const app = renderApp("/acesso-negado");
    await screen.findByRole("heading", { level: 1 });
    const opener = screen.getByRole("button", { name: /Buscar lote ou página/ });
    opener.focus();
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("dialog", { name: "Buscar ou ir para" });
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(opener);
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), "lotes");
    expect(screen.getByRole("option", { selected: true }).textContent).toContain("Lotes");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
  });

  it("the palette finds a batch by its name", async () => {
    const user = userEvent.setup();
    renderApp("/pagamentos/lotes");
    await title();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), "folha");
    await waitFor(() =>
      expect(fakeServer.calls(listBatches).map(({ query }) => query["search"])).toContain("folha"),
    );
    await screen.findByText("Nada encontrado para “folha”.");
  });

  it("/ moves to the search of the page and ? shows the keys, but not while the person types", async () => {
    const user = userEvent.setup();
    renderApp("/pagamentos/lotes");
    await title();
    await user.keyboard("/");
    const field = screen.getByRole("searchbox") as HTMLInputElement;
    expect(document.activeElement).toBe(field);
    await user.keyboard("?");
    expect(field.value).toBe("?");
    expect(screen.queryByRole("dialog")).toBeNull();
    field.blur();
    await user.keyboard("?");
    const sheet = within(await screen.findByRole("dialog", { name: "Atalhos do teclado" }));
    sheet.getByText("Buscar um lote ou ir para uma página");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
