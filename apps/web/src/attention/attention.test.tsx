import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { createCheckpoint, readCheckpoint, readCompany } from "@malote/contracts/company";
import type { ResponseOf } from "@malote/contracts/contract";
import { permissionNames } from "@malote/contracts/permission-names";
import { permissions } from "@malote/contracts/policy";
import { type Brand, readBrand } from "@malote/contracts/session";
import { readStatusPage } from "@malote/contracts/status-page";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { batches } from "../batches/feature.ts";
import { brandQuery } from "../shell/brand.ts";
import { checkpoints } from "../shell/checkpoints.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { buildSession } from "../testing/token.ts";
import { isAskedForPrivacyQuery, statusPageQuery } from "./api.ts";
import { attention } from "./feature.ts";

beforeEach(() => {
  fakeServer.on(listBatches, () => ({
    data: [],
    summary: { count: 0, value: 0 },
    metadata: { pagination: { itemsPerPage: 12, totalItems: 0 } },
  }));
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
});

/** Replaces the brand's answer; call it after `open`, which sets one too. */
const serveBrand = (given: Partial<Brand>) =>
  fakeServer.on(readBrand, () => ({
    id: "malote" as const,
    assetsPath: "/",
    name: "Malote",
    showStatusMenu: false,
    loginUrl: "/entrar",
    appUrl: "",
    statusUrl: null,
    supportUrl: null,
    supportChatUrl: null,
    twoFactorNotice: "A autenticação em 2 fatores precisa estar ativada até 29/07.",
    tokenCookie: "malote_token",
    reportsErrors: false,
    blogUrl: null,
    privacyUrl: null,
    notice: null,
    sandbox: true,
    ...given,
  }));

const marksRead = () => fakeServer.calls(readCheckpoint).map(({ params }) => params["id"]);

const open = (held: readonly string[]) =>
  renderApp("/pagamentos/lotes", { features: [batches, attention], session: { permissions: [...held] } });
const title = "Sua conta requer atenção";
const dialog = async () => within(await screen.findByRole("dialog", { name: title }));

describe("an account with suspended functions", () => {
  // Loads the part in advance, so that a test of its absence cannot pass because it is only late.
  beforeAll(() => import("./suspended-dialog.tsx"));

  it("SHL-037 SHL-038 SHL-039 SHL-040 names the suspended functions and those that still work, once per page load", async () => {
    const app = open(permissions.filter((one) => one !== "payout_pix" && one !== "balance_withdrawal"));
    serveBrand({ supportUrl: "https://ajuda.malote.example/" });
    const shown = await dialog();
    expect(shown.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Pagar por Pix",
      "Resgatar saldo",
    ]);
    shown.getByText("O acesso para leitura e consulta continua ativo.");
    const support = await shown.findByRole("link", { name: "Falar com o suporte" });
    expect(support.getAttribute("href")).toBe("https://ajuda.malote.example/");
    await userEvent.click(shown.getByRole("button", { name: "Entendi" }));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: title })).toBeNull());
    await app.router.navigate({ to: "/pagamentos/lotes", search: { busca: "x" } as never });
    expect(screen.queryByRole("dialog", { name: title })).toBeNull();
    await app.router.navigate({ to: "/acesso-negado" } as never);
    await screen.findByRole("link", { name: "Voltar à página inicial" });
    await settled(app);
    expect(screen.queryByRole("dialog", { name: title })).toBeNull();
    app.unmount();
    open(permissions.filter((one) => one !== "payout_pix"));
    await dialog();
  });

  it("SHL-040 opens the support chat where the installation has one", async () => {
    open(permissions.filter((one) => one !== "payout_pix"));
    serveBrand({
      supportUrl: "https://ajuda.malote.example/",
      supportChatUrl: "https://chat.malote.example/",
    });
    const support = await (await dialog()).findByRole("link", { name: "Falar com o suporte" });
    await waitFor(() => expect(support.getAttribute("href")).toBe("https://chat.malote.example/"));
  });

  it("SHL-038 names all functions when the set is empty", async () => {
    open([]);
    expect((await dialog()).getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(
      Object.values(permissionNames),
    );
  });

  it.each([[["all"]], [[...permissions]]])(
    "SHL-037 shows nothing when nothing is suspended",
    async (held) => {
      await settled(open(held));
      expect(screen.queryByRole("dialog", { name: title })).toBeNull();
    },
  );
});

describe("the privacy policy", () => {
  // Loads the part in advance, so that a test of its absence cannot pass because it is only late.
  beforeAll(() => import("./privacy-dialog.tsx"));

  const privacyUrl = "https://malote.example/privacidade";
  let accepted: boolean;
  let status: "active" | "blocked";
  beforeEach(() => {
    accepted = false;
    status = "active";
    fakeServer.on(readCheckpoint, () => ({ exists: accepted }));
    fakeServer.on(readCompany, () => ({
      name: "Aurora",
      cpfCnpj: "27418639000148",
      phone: null,
      address: null,
      logo: null,
      status,
    }));
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  });
  const visit = (profile: "admin" | "operator" | "analyst" = "admin") => {
    const app = renderApp("/pagamentos/lotes", { features: [batches, attention], session: { profile } });
    serveBrand({ privacyUrl });
    return app;
  };
  const policy = () => screen.queryByRole("dialog", { name: "Política de privacidade" });

  it("SHL-041 SHL-042 FST-024 blocks an admin until they accept it, and records that they did", async () => {
    const app = visit();
    const shown = within(await screen.findByRole("dialog", { name: "Política de privacidade" }));
    expect(shown.getByRole("link").getAttribute("href")).toBe(privacyUrl);
    await userEvent.keyboard("{Escape}");
    expect(shown.queryByRole("button", { name: "Fechar" })).toBeNull();
    await userEvent.click(shown.getByRole("button", { name: "Aceitar" }));
    await waitFor(() => expect(policy()).toBeNull());
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_ACCEPTED_PRIVACY_POLICY" },
    ]);
    await app.router.navigate({ to: "/acesso-negado" } as never);
    await screen.findByRole("link", { name: "Voltar à página inicial" });
    await settled(app);
    expect(policy()).toBeNull();
  });

  it("FST-025 does not show to any person while it is unknown who accepted", async () => {
    fakeServer.on(readCheckpoint, () => refuse("internal"));
    const app = visit();
    const { queryKey } = isAskedForPrivacyQuery(buildSession().company.id);
    await waitFor(() => expect(app.queryClient.getQueryState(queryKey)?.status).toBe("error"));
    await settled(app, brandQuery.queryKey);
    expect(policy()).toBeNull();
  });

  it("FST-025 lets every person on when the acceptance cannot be recorded", async () => {
    fakeServer.on(createCheckpoint, () => refuse("internal"));
    visit();
    const shown = within(await screen.findByRole("dialog", { name: "Política de privacidade" }));
    await userEvent.click(shown.getByRole("button", { name: "Aceitar" }));
    await waitFor(() => expect(policy()).toBeNull());
    await screen.findByText(/Ops, ocorreu um erro/);
  });

  it.each<[string, () => void]>([
    [
      "a person who accepted it",
      () => {
        accepted = true;
      },
    ],
    [
      "a blocked company",
      () => {
        status = "blocked";
      },
    ],
  ])("SHL-041 SHL-042 does not show to %s", async (_, given) => {
    given();
    const isAsked = isAskedForPrivacyQuery(buildSession().company.id);
    await settled(visit(), brandQuery.queryKey, isAsked.queryKey);
    expect(marksRead()).toEqual(["HAS_ACCEPTED_PRIVACY_POLICY"]);
    // The mark belongs to the person, not to the company.
    expect(fakeServer.calls(readCheckpoint).map(({ query }) => query)).toEqual([{}]);
    expect(policy()).toBeNull();
  });

  it.each(["operator", "analyst"] as const)("SHL-041 SES-051 does not show to an %s", async (profile) => {
    await settled(visit(profile), brandQuery.queryKey);
    expect(fakeServer.calls(readCheckpoint)).toHaveLength(0);
    expect(policy()).toBeNull();
  });
});

describe("the security notice", () => {
  const notice = { text: "Nunca pedimos a sua senha.", url: "https://malote.example/seguranca" };
  let closed: boolean;
  beforeEach(() => {
    closed = false;
    fakeServer.on(readCheckpoint, () => ({ exists: closed }));
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  });
  const visit = (feature_flags: string[] = ["show-promotional-topbar-app"]) => {
    const app = renderApp("/pagamentos/lotes", {
      features: [batches, attention],
      session: { feature_flags },
    });
    serveBrand({ notice });
    return app;
  };

  it("SHL-043 SHL-044 FST-024 shows above the top bar until it is closed, which is recorded", async () => {
    visit();
    const bar = within(await screen.findByRole("complementary", { name: "Aviso de segurança" }));
    const words = bar.getByText(/Nunca pedimos a sua senha/);
    const topBar = screen.getByRole("banner");
    expect(words.compareDocumentPosition(topBar)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(bar.getByRole("link", { name: "Saiba mais" }).getAttribute("href")).toBe(notice.url);
    await userEvent.click(bar.getByRole("button", { name: "Fechar aviso" }));
    expect(screen.queryByText(/Nunca pedimos/)).toBeNull();
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_CLOSED_SECURITY_NOTICE" },
    ]);
  });

  it("FST-025 closes when its mark cannot be stored, and shows again at the next page load", async () => {
    const app = visit();
    refuseMarks({ notice });
    await userEvent.click(await screen.findByRole("button", { name: "Fechar aviso" }));
    expect(screen.queryByText(/Nunca pedimos/)).toBeNull();
    await expectQuietReport();
    expect(recordedMarks()).toEqual(["HAS_CLOSED_SECURITY_NOTICE"]);
    await app.router.navigate({ to: "/pagamentos/lotes", search: { busca: "x" } as never });
    expect(screen.queryByText(/Nunca pedimos/)).toBeNull();
    app.unmount();
    visit();
    await screen.findByText(/Nunca pedimos/);
  });

  it("SHL-044 stays hidden from a person who closed it before", async () => {
    closed = true;
    const wasClosed = checkpoints.exists("HAS_CLOSED_SECURITY_NOTICE");
    await settled(visit(), brandQuery.queryKey, wasClosed.queryKey);
    expect(marksRead()).toEqual(["HAS_CLOSED_SECURITY_NOTICE"]);
    // The mark belongs to the person, not to the company.
    expect(fakeServer.calls(readCheckpoint).map(({ query }) => query)).toEqual([{}]);
    expect(screen.queryByText(/Nunca pedimos/)).toBeNull();
  });

  it("SHL-043 has no link when the installation configures none", async () => {
    visit();
    serveBrand({ notice: { ...notice, url: null } });
    const bar = within(await screen.findByRole("complementary", { name: "Aviso de segurança" }));
    bar.getByText("Nunca pedimos a sua senha.");
    expect(bar.queryByRole("link")).toBeNull();
  });

  it("SHL-043 stays hidden when the installation configures no notice", async () => {
    const app = renderApp("/pagamentos/lotes", {
      features: [batches, attention],
      session: { feature_flags: ["show-promotional-topbar-app"] },
    });
    serveBrand({ notice: null });
    await settled(app, brandQuery.queryKey);
    expect(screen.queryByRole("complementary", { name: "Aviso de segurança" })).toBeNull();
    expect(fakeServer.calls(readCheckpoint)).toHaveLength(0);
  });

  it("FST-025 stays hidden while it is unknown whether it was closed", async () => {
    fakeServer.on(readCheckpoint, () => refuse("internal"));
    const app = visit();
    const { queryKey } = checkpoints.exists("HAS_CLOSED_SECURITY_NOTICE");
    await waitFor(() => expect(app.queryClient.getQueryState(queryKey)?.status).toBe("error"));
    await settled(app, brandQuery.queryKey);
    expect(screen.queryByText(/Nunca pedimos/)).toBeNull();
  });

  it("SHL-043 shows only with the feature flag", async () => {
    await settled(visit([]), brandQuery.queryKey);
    expect(fakeServer.calls(readCheckpoint)).toHaveLength(0);
    expect(screen.queryByText(/Nunca pedimos/)).toBeNull();
  });
});

describe("the status page", () => {
  const incident = { name: "Pix lento ".repeat(20).trim(), shortlink: "https://stspg.example/abc" };
  const maintenance = {
    name: "Troca de servidores",
    shortlink: "https://status.example/",
    scheduled_for: "2026-11-30T04:00:00.000Z",
    scheduled_until: "2026-11-30T05:00:00.000Z",
  };
  type Answer = ResponseOf<typeof readStatusPage> | ReturnType<typeof refuse>;
  const visit = (answer: Answer) => {
    fakeServer.on(readStatusPage, () => answer);
    return renderApp("/pagamentos/lotes", { features: [batches, attention] });
  };

  it("SHL-047 SHL-050 SHL-052 reports an incident, shortened, and links to it", async () => {
    visit({ incident, maintenance: null });
    const banner = (await screen.findByText(`${incident.name.slice(0, 120)}...`)).closest("[data-tone]");
    expect(banner?.getAttribute("data-tone")).toBe("yellow");
    expect(screen.getByRole("link", { name: "Ver status" }).getAttribute("href")).toBe(incident.shortlink);
  });

  it.each([
    [120, "p".repeat(120)],
    [121, `${"p".repeat(120)}...`],
  ])("SHL-050 cuts the message of an incident after 120 characters: one of %i", async (length, shown) => {
    visit({ incident: { ...incident, name: "p".repeat(length) }, maintenance: null });
    await screen.findByText(shown);
  });

  it("SHL-047 SHL-048 SHL-050 reports a maintenance in place of an incident, in full, with its hours", async () => {
    const name = `Troca de servidores ${"e discos ".repeat(20).trim()}`;
    visit({ incident, maintenance: { ...maintenance, name } });
    const hours = await screen.findByText(`${name}, de 30/11/2026 01:00 a 30/11/2026 02:00`);
    expect(hours.closest("[data-tone]")?.getAttribute("data-tone")).toBe("yellow");
    expect(screen.queryByText(/Pix lento/)).toBeNull();
    expect(screen.getByRole("link", { name: "Ver status" }).getAttribute("href")).toBe(
      "https://status.example/",
    );
  });

  it("SHL-049 shows nothing when the server reports nothing", async () => {
    await settled(visit({ incident: null, maintenance: null }), statusPageQuery.queryKey);
    expect(fakeServer.calls(readStatusPage)).toHaveLength(1);
    expect(screen.queryByRole("link", { name: "Ver status" })).toBeNull();
  });

  it("SES-070 stops polling after an error", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    visit({ incident: null, maintenance: null });
    fakeServer.on(readStatusPage, () => refuse("internal"));
    await waitFor(() => expect(fakeServer.calls(readStatusPage).length).toBeGreaterThan(0));
    await act(() => vi.advanceTimersByTimeAsync(310_000));
    const asked = fakeServer.calls(readStatusPage).length;
    await act(() => vi.advanceTimersByTimeAsync(900_000));
    expect(fakeServer.calls(readStatusPage)).toHaveLength(asked);
    vi.useRealTimers();
  });

  it("SHL-053 shows nothing when the status cannot be read", async () => {
    // `internal` is not retried, so the first answer is the last one.
    const { queryClient } = visit(refuse("internal"));
    await waitFor(() => expect(queryClient.getQueryState(statusPageQuery.queryKey)?.status).toBe("error"));
    expect(screen.queryByRole("link", { name: "Ver status" })).toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("SHL-053 hides an incident as soon as the status cannot be read again", async () => {
    const { queryClient } = visit({ incident, maintenance: null });
    await screen.findByRole("link", { name: "Ver status" });
    fakeServer.on(readStatusPage, () => refuse("internal"));
    await act(() => queryClient.invalidateQueries({ queryKey: statusPageQuery.queryKey }));
    await waitFor(() => expect(screen.queryByRole("link", { name: "Ver status" })).toBeNull());
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
