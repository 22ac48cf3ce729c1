import { listBatches, readBatch, readBatchesBlankslate } from "@malote/contracts/batches";
import { readCompanySettings } from "@malote/contracts/company";
import { profiles } from "@malote/contracts/policy";
import { authorize, logout, readBrand } from "@malote/contracts/session";
import { readBalance } from "@malote/contracts/statement";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { buildToken, payments, validation } from "../testing/token.ts";
import { companySettingsQuery, refreshTopBar } from "./balance.ts";
import { brandOfPage } from "./brand.ts";
import { generalText } from "./call.ts";
import { type Feature, page } from "./feature.ts";
import { pathOf, routeNames } from "./routes.ts";
import { readToken } from "./session.ts";

beforeEach(() => {
  fakeServer.on(listBatches, () => ({
    data: [],
    summary: { count: 0, value: 0 },
    metadata: { pagination: { itemsPerPage: 9, totalItems: 0 } },
  }));
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
});

const batchesTitle = () => screen.findByRole("heading", { level: 1, name: "Seus lotes" });

describe("the application", () => {
  it.each(["/", "/pagamentos", "/dashboard", "/lotes", "/nao-existe"])(
    "SES-005 SES-006 SES-021 %s opens the batches page",
    async (address) => {
      const app = renderApp(address);
      await batchesTitle();
      expect(app.address()).toBe("/pagamentos/lotes");
    },
  );

  it.each(["/", "/nao-existe"])(
    "SES-005 %s opens the home page of the current application",
    async (address) => {
      const session = { application: validation, allowed_applications: [payments, validation] };
      const app = renderApp(address, {
        session,
        features: [placeholderScreens("BatchesPage", "ValidationPage")],
      });
      await screen.findByRole("heading", { name: "ValidationPage" });
      expect(app.address()).toBe(pathOf("ValidationPage"));
    },
  );

  it("loads a page of the other application ahead without opening it", async () => {
    const load = vi.fn(async () => ({ default: () => <h1>Histórico</h1> }));
    const history: Feature = {
      pages: [page("ValidationHistoryPage", { title: "Histórico", load })],
      nav: [{ group: "ContaCerta", label: "Histórico", to: "ValidationHistoryPage", icon: () => null }],
    };
    fakeServer.on(authorize, () => refuse("internal"));
    renderApp("/pagamentos/lotes", {
      session: { allowed_applications: [payments, validation] },
      features: [placeholderScreens("BatchesPage"), history],
    });
    await screen.findByRole("heading", { name: "BatchesPage" });
    act(() => screen.getByRole("link", { name: "Histórico" }).focus());
    await waitFor(() => expect(load).toHaveBeenCalled());
    expect(fakeServer.calls(authorize)).toEqual([]);
    screen.getByRole("heading", { name: "BatchesPage" });
  });

  it("SES-006 opens nothing under /pagamentos without the payments application, and nothing without a session", async () => {
    const below = routeNames.map(pathOf).filter((path) => path.startsWith("/pagamentos"));
    expect(below.length).toBeGreaterThan(10);
    const only = { application: validation, allowed_applications: [validation] };
    for (const address of below) {
      const stranger = renderApp(address, { session: null });
      await waitFor(() => expect(stranger.leftTo[0]).toMatch(/^\/entrar\?/));
      stranger.unmount();
    }
    for (const address of below) {
      const app = renderApp(address, { session: only });
      await screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
      expect(app.address()).toBe("/acesso-negado");
      app.unmount();
    }
    expect(fakeServer.calls(listBatches)).toEqual([]);
  });

  it("SES-026 /auth keeps the token, cleans the address at once and opens the home page", async () => {
    const token = buildToken({ two_factor: { enabled: true, enforced: false } });
    const app = renderApp(`/auth?token=${token}`, { session: null });
    await batchesTitle();
    expect(readToken()).toBe(token);
    expect(app.address()).not.toContain("token");
  });

  it("SES-026 /auth opens the home page of the application that the token is for", async () => {
    const here = { application: validation, allowed_applications: [payments, validation] };
    const token = buildToken({ ...here, two_factor: { enabled: true, enforced: false } });
    const app = renderApp(`/auth?token=${token}`, {
      session: null,
      features: [placeholderScreens("BatchesPage", "ValidationPage")],
    });
    await screen.findByRole("heading", { name: "ValidationPage" });
    expect(app.address()).toBe(pathOf("ValidationPage"));
    expect(readToken()).toBe(token);
  });

  it("SES-027 passes an openBatch token to the batches page", async () => {
    const id = "0198f000-0000-7000-8000-00000000000a";
    const modal = btoa(JSON.stringify({ kind: "openBatch", id }));
    fakeServer.keepWaiting(readBatch);
    const token = buildToken({ two_factor: { enabled: true, enforced: false } });
    const app = renderApp(`/auth?token=${token}&modalToken=${encodeURIComponent(modal)}`, {
      session: null,
    });
    await batchesTitle();
    expect(app.address()).toBe(`/pagamentos/lotes?lote=${id}`);
  });

  it("SES-028 /auth without a token goes to the login site", async () => {
    const app = renderApp("/auth", { session: null });
    await waitFor(() => expect(app.leftTo).toEqual(["/entrar"]));
  });

  it("SES-028 /auth without a token ends the existing session, on the server too", async () => {
    fakeServer.on(logout, () => ({ ok: true as const }));
    const app = renderApp("/auth");
    await waitFor(() => expect(app.leftTo).toEqual(["/entrar"]));
    expect(readToken()).toBeNull();
    expect(fakeServer.calls(logout)).toHaveLength(1);
  });

  it("SES-026 SES-030 logs out a person who arrives without a known application, also of the earlier session", async () => {
    fakeServer.on(logout, () => ({ ok: true as const }));
    const token = buildToken({ application: { ...payments, id: "" as never } });
    const app = renderApp(`/auth?token=${token}`);
    await waitFor(() => expect(app.leftTo).toEqual(["/entrar"]));
    expect(readToken()).toBeNull();
    expect(fakeServer.calls(logout)).toHaveLength(1);
    // SES-026: the address bar lost the token at once, though no page was opened.
    expect(app.address()).toBe("/auth");
  });

  it("SES-037 a page of the other application switches to it first", async () => {
    const next = buildToken({ allowed_applications: [payments, validation] });
    fakeServer.on(authorize, () => ({ access_token: next, token_type: "Bearer" as const, expires_in: 1800 }));
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + 1800;
    const before = { application: validation, allowed_applications: [payments, validation], iat, exp };
    renderApp("/pagamentos/lotes", { session: before });
    await batchesTitle();
    expect(readToken()).toBe(next);
    expect(fakeServer.calls(authorize)[0]?.body).toEqual({
      grant_type: "refresh_token",
      refresh_token: buildToken(before),
      scope: "payments",
    });
  });

  it("SES-037 SES-042 a refused switch logs out once, and draws nothing", async () => {
    fakeServer.on(authorize, () => refuse("not_authenticated"));
    const session = { application: validation, allowed_applications: [payments, validation] };
    const app = renderApp("/pagamentos/lotes", { session });
    const signIn = "/entrar?redirectedFrom=%2Fpagamentos%2Flotes&motivo=fim";
    await waitFor(() => expect(app.leftTo).toEqual([signIn]));
    await act(() => vi.dynamicImportSettled());
    expect(app.leftTo).toEqual([signIn]);
    expect(readToken()).toBeNull();
    expect(screen.queryByRole("heading")).toBeNull();
    expect(fakeServer.calls(listBatches)).toEqual([]);
  });

  it("SES-039 logging out ends the session, removes the token and goes to the login site", async () => {
    fakeServer.on(logout, () => ({ ok: true as const }));
    const app = renderApp("/logout");
    await waitFor(() => expect(app.leftTo).toEqual(["/entrar"]));
    expect(readToken()).toBeNull();
    expect(fakeServer.calls(logout)).toHaveLength(1);
  });

  it("SES-039 logging out removes the token and leaves without the server's answer as well", async () => {
    fakeServer.on(logout, () => refuse("unavailable"));
    const app = renderApp("/logout");
    await waitFor(() => expect(app.leftTo).toEqual(["/entrar"]));
    expect(readToken()).toBeNull();
  });

  it("SES-039 logging out leaves when the server never answers", async () => {
    const patience = new AbortController();
    const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
    const answer = fetch;
    const silent = vi.fn(
      (_: unknown, { signal }: RequestInit) =>
        new Promise<never>((_resolve, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason)),
        ),
    );
    vi.stubGlobal("fetch", (input: string, init: RequestInit) =>
      (input.endsWith(logout.path) ? silent : answer)(input, init),
    );
    const app = renderApp("/logout");
    await waitFor(() => expect(silent).toHaveBeenCalledOnce());
    expect(app.leftTo).toEqual([]);
    patience.abort();
    await waitFor(() => expect(app.leftTo).toEqual(["/entrar"]));
    expect(readToken()).toBeNull();
    limit.mockRestore();
  });

  it("SES-042 draws nothing without a session and opens the login site", async () => {
    const app = renderApp("/pagamentos/lotes", { session: null });
    await waitFor(() =>
      expect(app.leftTo).toEqual(["/entrar?redirectedFrom=%2Fpagamentos%2Flotes&motivo=entrar"]),
    );
    expect(fakeServer.calls(listBatches)).toHaveLength(0);
  });

  it.each([
    ["without a session", null, "entrar"],
    ["with an expired session", { exp: Math.floor(Date.now() / 1000) - 1 }, "inatividade"],
  ])("SES-040 SES-042 the forbidden page %s redirects to the login site", async (_what, session, reason) => {
    const app = renderApp("/acesso-negado", { session });
    await waitFor(() => expect(app.leftTo).toEqual([`/entrar?motivo=${reason}`]));
    expect(readToken()).toBeNull();
    expect(screen.queryByRole("heading")).toBeNull();
  });

  it("SES-047 SES-048 SES-049 a user without platform access sees the forbidden page", async () => {
    const app = renderApp("/pagamentos/lotes", { session: { permissions: ["api_access"] } });
    await screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
    expect(app.address()).toBe("/acesso-negado");
    expect(screen.getByText("Solicite ao administrador a alteração do seu perfil.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Voltar à página inicial" }).getAttribute("href")).toBe(
      "/pagamentos",
    );
  });

  it("SES-049 links back to the home page of the current application", async () => {
    const session = { application: validation, allowed_applications: [payments, validation] };
    renderApp("/acesso-negado", { session });
    const back = await screen.findByRole("link", { name: "Voltar à página inicial" });
    expect(back.getAttribute("href")).toBe("/contacerta");
  });
});

describe("the top bar", () => {
  it.each(profiles)(
    "SHL-004 SHL-005 SHL-006 shows first name, balance and waiting amount, with their links, to an %s",
    async (profile) => {
      renderApp("/pagamentos/lotes", { session: { profile } });
      const balance = await screen.findByRole("link", { name: /Saldo\s*R\$\s48\.210,37/ });
      expect(balance.getAttribute("href")).toBe("/pagamentos/saldo");
      const waiting = screen.getByRole("link", { name: /Aguardando recebimento\s*R\$\s12\.340,55/ });
      expect(waiting.getAttribute("href")).toBe("/pagamentos/lotes-aguardando-recebimento");
      // The visible first name, beside the text for screen readers.
      const menu = within(screen.getByRole("button", { name: "Menu de Helena Prado" }));
      expect(menu.getByText("Helena", { exact: true }).className).not.toContain("sr-only");
    },
  );

  it("SHL-007 shows no amounts while the account is in validation mode", async () => {
    const app = renderApp("/pagamentos/lotes");
    fakeServer.on(readCompanySettings, () => buildCompanySettings({ validationAccount: true }));
    await settled(app, companySettingsQuery.queryKey);
    const bar = within(screen.getByRole("banner"));
    expect(bar.queryByText(/Saldo|Aguardando recebimento|R\$/)).toBeNull();
    expect(fakeServer.calls(readBalance)).toHaveLength(0);
  });

  it("SHL-007 shows no amounts in the validation application, and requests none", async () => {
    renderApp("/acesso-negado", {
      session: { application: validation, allowed_applications: [payments, validation] },
    });
    await screen.findByRole("button", { name: "Menu de Helena Prado" });
    await screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
    const bar = within(screen.getByRole("banner"));
    expect(bar.queryByText(/Saldo|Aguardando recebimento|R\$/)).toBeNull();
    expect(fakeServer.calls(readBalance)).toHaveLength(0);
  });

  it("SHL-009 reads the balance again when the refresh event is fired", async () => {
    renderApp("/pagamentos/lotes");
    await screen.findByText(/48\.210,37/);
    fakeServer.on(readBalance, () => ({ value: 100, waiting_value: 200 }));
    act(refreshTopBar);
    await screen.findByRole("link", { name: /^Saldo\s*R\$\s1,00$/ });
    screen.getByRole("link", { name: /^Aguardando recebimento\s*R\$\s2,00$/ });
  });

  const saidInRed = async (text: string | RegExp) => {
    const toast = (await screen.findByText(text)).closest("[data-tone]");
    expect(toast?.getAttribute("data-tone")).toBe("bad");
  };

  it("SHL-010 shows the message of a failed balance", async () => {
    renderApp("/pagamentos/lotes");
    fakeServer.on(readBalance, () => refuse("too_many_requests"));
    await saidInRed(/^Muitas chamadas em pouco tempo/);
  });

  it("SHL-010 shows the message of a balance that fails after one that was read, and keeps that one", async () => {
    renderApp("/pagamentos/lotes");
    await screen.findByText(/48\.210,37/);
    fakeServer.on(readBalance, () => refuse("too_many_requests"));
    act(refreshTopBar);
    await saidInRed(/^Muitas chamadas em pouco tempo/);
    screen.getByText(/48\.210,37/);
  });

  it("SHL-010 shows the general sentence for a failed balance without a code of ours", async () => {
    renderApp("/pagamentos/lotes");
    fakeServer.on(readBalance, () => refuseWithoutCode());
    await saidInRed(generalText);
  });

  it("SHL-034 SHL-036 the profile menu offers existing pages, the theme and Sair", async () => {
    const user = userEvent.setup();
    const app = renderApp("/pagamentos/lotes");
    await user.click(await screen.findByRole("button", { name: "Menu de Helena Prado" }));
    const leave = await screen.findByRole("menuitem", { name: "Sair" });
    // The footer comes last.
    expect(screen.getAllByRole("menuitem").at(-1)).toBe(leave);
    const entries = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
    expect(entries.slice(0, 3)).toEqual(["Minha empresa", "Minha conta", "Desenvolvedor"]);
    expect(screen.queryByRole("menuitem", { name: "Status" })).toBeNull();
    await user.click(screen.getByRole("menuitemradio", { name: "Escuro" }));
    expect(document.documentElement.dataset["theme"]).toBe("dark");
    fakeServer.on(logout, () => ({ ok: true as const }));
    await user.click(leave);
    await waitFor(() => expect(app.leftTo).toEqual(["/entrar"]));
    expect(readToken()).toBeNull();
  });

  it.each([
    [true, "https://status.example/", "https://status.example/"],
    [false, "https://status.example/", undefined],
    [true, null, undefined],
  ])(
    "SHL-035 with showStatusMenu %s and the page %s the profile menu links to %s",
    async (showStatusMenu, statusUrl, to) => {
      const user = userEvent.setup();
      renderApp("/pagamentos/lotes");
      fakeServer.on(readBrand, () => ({ ...brandOfPage(), showStatusMenu, statusUrl }));
      await batchesTitle();
      await waitFor(() => expect(fakeServer.calls(readBrand)).toHaveLength(1));
      await user.click(await screen.findByRole("button", { name: "Menu de Helena Prado" }));
      await screen.findByRole("menuitem", { name: "Sair" });
      if (to) expect((await screen.findByRole("menuitem", { name: "Status" })).getAttribute("href")).toBe(to);
      else expect(screen.queryByRole("menuitem", { name: "Status" })).toBeNull();
    },
  );

  it("SHL-028 SHL-033 the side menu follows the applications of the user", async () => {
    renderApp("/pagamentos/lotes");
    const entry = await screen.findByRole("link", { name: "Lotes" });
    expect(entry.getAttribute("aria-current")).toBe("page");
    expect(screen.queryByRole("navigation", { name: "ContaCerta" })).toBeNull();
  });
});
