import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import {
  type CheckpointId,
  createCheckpoint,
  listPaymentAccounts,
  readCheckpoint,
  readCompanyBankAccount,
} from "@malote/contracts/company";
import { listPixKeys, readPixKey } from "@malote/contracts/pix-keys";
import { readStatement } from "@malote/contracts/statement";
import type { QueryKey } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { firstTimeQuery } from "../first-steps/index.ts";
import { checkpoints } from "../shell/checkpoints.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { buildOpenBatch } from "../testing/payments.ts";
import { buildPixKey, serveKeys } from "../testing/pix-keys.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";
import { settled } from "../testing/settled.ts";
import { buildSession } from "../testing/token.ts";
import { pixKeysQuery } from "./api.ts";

const home = "/pagamentos/lotes";
const settings = "/pagamentos/configuracoes/dados-bancarios";
const another = (at: number, given: Parameters<typeof buildPixKey>[0] = {}) =>
  buildPixKey({ id: `0198f000-0000-7000-8000-00000000020${at}`, ...given });
const house = { id: "99999593", code: "593", ispb: "99999593", name: "Malote Pagamentos", image: null };
const paymentAccount = (id: string, account: string) => ({
  id,
  Bank: house,
  isPix: false,
  isProviderAccount: true,
  key: null,
  keyType: null,
  agency: "0001",
  account,
  account_digit: "7",
  account_type: "CONTA_PAGAMENTO",
  operation_type: null,
  cpfCnpj: "27418639000148",
  name: "Aurora Comércio",
  bank_id: house.id,
});

beforeEach(() => {
  fakeServer.on(listBatches, () => ({
    data: [],
    summary: { count: 0, value: 0 },
    metadata: { pagination: { itemsPerPage: 9, totalItems: 0 } },
  }));
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
  fakeServer.on(readCompanyBankAccount, () => null);
  fakeServer.on(readStatement, () => ({
    entries: [],
    prevBalance: { date: "2026-11-01", value: 0 },
    afterBalance: { date: "2026-11-30", value: 0 },
    totals: { in: 0, out: 0 },
    metadata: { pagination: { itemsPerPage: 50, totalItems: 0 } },
  }));
});

const keysRead = pixKeysQuery.queryKey;

describe("Cadastre sua chave Pix", () => {
  // Loaded when it is asked for: what is absent must not only be late.
  beforeAll(() => import("./key-prompt.tsx"));

  const marks = (...done: CheckpointId[]) => {
    fakeServer.on(readCheckpoint, ({ params }) => ({ exists: done.includes(params["id"] as CheckpointId) }));
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  };
  const asked = () => screen.findByRole("dialog", { name: "Cadastre sua chave Pix" });
  const marksRead = (companyId: string): QueryKey[] => [
    firstTimeQuery(companyId).queryKey,
    checkpoints.exists("HAS_DISMISSED_PIX_KEY_PROMPT").queryKey,
    checkpoints.exists("HAS_CLICKED_PIX_KEY_PROMPT").queryKey,
  ];
  const isAsked = () => screen.queryByRole("dialog", { name: "Cadastre sua chave Pix" }) !== null;

  it("SHL-054 SHL-055 SHL-056 SET-006 FST-024 leads an admin to the wizard, and is marked as accepted", async () => {
    const user = userEvent.setup();
    serveKeys();
    marks("HAS_FILLED_FIRST_STEPS");
    const app = renderApp(home);
    await user.click(within(await asked()).getByRole("button", { name: "Cadastrar chave Pix" }));
    await screen.findByRole("dialog", { name: "Adicionar chave Pix" });
    expect(app.address()).toBe(`${settings}?chave=nova`);
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_CLICKED_PIX_KEY_PROMPT" },
    ]);
  });

  it.each<[string, CheckpointId[]]>([
    ["whether it was answered", ["HAS_DISMISSED_PIX_KEY_PROMPT", "HAS_CLICKED_PIX_KEY_PROMPT"]],
    ["whether the first steps were done", ["HAS_FILLED_FIRST_STEPS"]],
  ])("FST-025 SHL-056 is not asked while nobody knows %s", async (_what, unknown) => {
    serveKeys();
    fakeServer.on(readCheckpoint, ({ params }) =>
      unknown.includes(params["id"] as CheckpointId)
        ? refuse("internal")
        : { exists: params["id"] === "HAS_FILLED_FIRST_STEPS" },
    );
    // A company of its own: that first steps are filled is remembered for the life of the page.
    const company = { ...buildSession().company, id: `0198f000-0000-7000-8000-0000000005${unknown.length}0` };
    const { queryClient } = renderApp(home, { session: { company } });
    await screen.findByRole("heading", { name: "Seus lotes" });
    const outcomes = () => marksRead(company.id).map((key) => queryClient.getQueryState(key)?.status);
    await waitFor(() => {
      expect(outcomes()).toContain("error");
      expect(outcomes()).not.toContain("pending");
    });
    expect(isAsked()).toBe(false);
  });

  it("FST-025 SHL-056 nor over an open batch, whose wizard takes first steps that cannot be read as filled", async () => {
    const batch = buildOpenBatch();
    serveBatch({ batch, transfers: [], balance: 0, filledFirstSteps: true });
    serveKeys();
    fakeServer.on(readCheckpoint, ({ params }) =>
      params["id"] === "HAS_FILLED_FIRST_STEPS" ? refuse("internal") : { exists: false },
    );
    const company = { ...buildSession().company, id: "0198f000-0000-7000-8000-000000000540" };
    const { queryClient } = renderApp(`${home}?lote=${batch.id}`, { session: { company } });
    await screen.findByLabelText("Nome do lote");
    const outcomes = () => marksRead(company.id).map((key) => queryClient.getQueryState(key)?.status);
    await waitFor(() => {
      expect(queryClient.isFetching()).toBe(0);
      expect(outcomes()).not.toContain("pending");
    });
    expect(isAsked()).toBe(false);
  });

  it("SHL-056 FST-024 is dismissed once, and marked so", async () => {
    const user = userEvent.setup();
    serveKeys();
    marks("HAS_FILLED_FIRST_STEPS");
    renderApp(home);
    await user.click(within(await asked()).getByRole("button", { name: "Agora não" }));
    await waitFor(() => expect(isAsked()).toBe(false));
    expect(fakeServer.calls(createCheckpoint)[0]?.body).toEqual({ location: "HAS_DISMISSED_PIX_KEY_PROMPT" });
  });

  it.each([
    ["Cadastrar chave Pix", "HAS_CLICKED_PIX_KEY_PROMPT", `${settings}?chave=nova`],
    ["Agora não", "HAS_DISMISSED_PIX_KEY_PROMPT", home],
  ])(
    "FST-025 '%s' does what it says though its mark is not kept, and is asked again at the next load",
    async (name, mark, leadsTo) => {
      const user = userEvent.setup();
      serveKeys();
      marks("HAS_FILLED_FIRST_STEPS");
      const app = renderApp(home);
      refuseMarks();
      await user.click(within(await asked()).getByRole("button", { name }));
      await waitFor(() => expect(isAsked()).toBe(false));
      await waitFor(() => expect(app.address()).toBe(leadsTo));
      await expectQuietReport();
      expect(recordedMarks()).toEqual([mark]);
      // Answered, as far as this page knows.
      await app.router.navigate({ to: "/pagamentos/saldo" } as never);
      await screen.findByRole("heading", { name: "Saldo" });
      expect(isAsked()).toBe(false);
      app.unmount();
      renderApp(home);
      await asked();
    },
  );

  it.each([
    ["who dismissed it before", ["HAS_FILLED_FIRST_STEPS", "HAS_DISMISSED_PIX_KEY_PROMPT"]],
    ["who accepted it before", ["HAS_FILLED_FIRST_STEPS", "HAS_CLICKED_PIX_KEY_PROMPT"]],
  ] as const)("SHL-056 is not asked of %s", async (_who, done) => {
    serveKeys();
    marks(...done);
    await settled(renderApp(home), keysRead, ...marksRead(buildSession().company.id));
    expect(isAsked()).toBe(false);
  });

  it("SHL-056 is not asked before the first steps", async () => {
    marks();
    serveKeys();
    const company = {
      id: "0198f000-0000-7000-8000-00000000abcd",
      name: "Nova",
      cpfCnpj: "12ABC34501DE35",
      acceptedContract: true,
    };
    await settled(renderApp(home, { session: { company } }), keysRead, ...marksRead(company.id));
    expect(isAsked()).toBe(false);
  });

  it("SHL-056 is not asked of a company with a key", async () => {
    marks("HAS_FILLED_FIRST_STEPS");
    serveKeys(buildPixKey());
    await settled(renderApp(home), keysRead);
    expect(isAsked()).toBe(false);
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-056 SES-051 is not asked of an %s, nor are the marks",
    async (profile) => {
      marks("HAS_FILLED_FIRST_STEPS");
      serveKeys();
      await settled(renderApp(home, { session: { profile } }));
      expect(isAsked()).toBe(false);
      expect(fakeServer.calls(readCheckpoint)).toEqual([]);
    },
  );
});

describe("the banner of pending claims", () => {
  const one =
    "Identificamos um pedido de registro para a chave Pix (11) 98765-4321. Clique aqui para confirmar ou cancelar a solicitação.";
  const several =
    "Identificamos pedidos de registro para suas chaves Pix. Clique aqui para confirmar ou cancelar as solicitações.";
  const phone = another(1, { key_type: "TELEFONE", key: "+5511987654321", status: "WAITING_CLAIM_APPROVAL" });

  /** The banner as it is read, its link included. */
  const banner = (text: string) => (_: string, element: Element | null) =>
    element?.textContent === text &&
    !Array.from(element.children).some((child) => child.textContent === text);

  it.each(["Ver detalhes", "Clique aqui"])(
    "SHL-057 SHL-060 names the one key, and '%s' leads to the keys",
    async (name) => {
      const user = userEvent.setup();
      serveKeys(buildPixKey(), phone);
      const app = renderApp(home);
      await screen.findByText(banner(one));
      await user.click(screen.getByRole("link", { name }));
      await waitFor(() => expect(app.address()).toBe(settings));
    },
  );

  it("SHL-058 SHL-059 FST-024 speaks of several, and stays closed on every page until the next load", async () => {
    const user = userEvent.setup();
    serveKeys(phone, another(2, { status: "WAITING_PORTABILITY_APPROVAL" }));
    const app = renderApp(home);
    await screen.findByText(banner(several));
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
    await user.click(screen.getByRole("button", { name: "Fechar aviso de chave Pix" }));
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_CLOSED_CLAIMS_BANNER" },
    ]);
    expect(screen.queryByText(/Identificamos/)).toBeNull();
    await app.router.navigate({ to: settings } as never);
    await screen.findByText("Suas chaves Pix cadastradas");
    expect(screen.queryByText(/Identificamos/)).toBeNull();
    app.unmount();
    renderApp(home);
    await screen.findByText(banner(several));
  });

  it("FST-025 closes though its mark is not kept, as it does with it", async () => {
    const user = userEvent.setup();
    serveKeys(phone);
    const app = renderApp(home);
    refuseMarks();
    await screen.findByText(banner(one));
    await user.click(screen.getByRole("button", { name: "Fechar aviso de chave Pix" }));
    expect(screen.queryByText(/Identificamos/)).toBeNull();
    await expectQuietReport();
    expect(recordedMarks()).toEqual(["HAS_CLOSED_CLAIMS_BANNER"]);
    await app.router.navigate({ to: settings } as never);
    await screen.findByText("Suas chaves Pix cadastradas");
    expect(screen.queryByText(/Identificamos/)).toBeNull();
    app.unmount();
    renderApp(home);
    await screen.findByText(banner(one));
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-059 is not for an %s, who may not enter the page it leads to",
    async (profile) => {
      serveKeys(phone);
      await settled(renderApp(home, { session: { profile } }));
      expect(screen.queryByText(/Identificamos/)).toBeNull();
    },
  );

  it("SHL-059 is not there without a claim", async () => {
    serveKeys(buildPixKey());
    await settled(renderApp(home), keysRead);
    expect(screen.queryByText(/Identificamos/)).toBeNull();
  });

  it("SHL-059 goes when the keys can no longer be loaded", async () => {
    serveKeys(phone);
    const { queryClient } = renderApp(home);
    await screen.findByText(banner(one));
    fakeServer.on(listPixKeys, () => refuse("internal"));
    await act(() => queryClient.invalidateQueries({ queryKey: keysRead }));
    await waitFor(() => expect(screen.queryByText(/Identificamos/)).toBeNull());
  });
});

describe("Enviar saldo", () => {
  async function openDialog(session = {}) {
    const user = userEvent.setup();
    const app = renderApp(home, { session });
    await user.click(await screen.findByRole("button", { name: "Enviar saldo" }));
    return { user, app, dialog: within(await screen.findByRole("dialog", { name: "Enviar saldo" })) };
  }

  it("SHL-011 SHL-013 SHL-014 SHL-015 PIX-006 lists the first three of the keys that can be paid, each with its picture", async () => {
    const long = `${"b".repeat(50)}@aurora.exemplo`;
    serveKeys(
      another(1, { ownership_date: null, key: "semdata@aurora.exemplo" }),
      another(2, { status: "VALIDATING", key: "validando@aurora.exemplo" }),
      another(3, { key_type: "CNPJ", key: "12ABC34501DE35" }),
      another(4, { key: long, pix_qrcode_image: null }),
      another(5, { key_type: "TELEFONE", key: "+5511987654321", status: "WAITING_CLAIM_APPROVAL" }),
      another(6, { key: "quarta@aurora.exemplo" }),
    );
    const { user, dialog } = await openDialog();
    const keys = await dialog.findAllByRole("radio");
    expect(keys.map((radio) => radio.closest("label")?.textContent)).toEqual([
      "12.ABC.345/01DE-35CNPJ",
      `${"b".repeat(46)}…E-mail`,
      "(11) 98765-4321Celular",
    ]);
    dialog.getByRole("img", { name: "Código QR da chave 12.ABC.345/01DE-35" });
    await user.click(keys[1] as HTMLElement);
    dialog.getByText("Código QR indisponível para esta chave");
  });

  it("SHL-018 SHL-019 with keys leads to them, with a way back to the statement", async () => {
    serveKeys(another(1));
    fakeServer.on(readCheckpoint, () => ({ exists: true }));
    const { user, app, dialog } = await openDialog();
    await dialog.findByRole("button", { name: "Ver minhas chaves Pix" });
    const words = dialog.getAllByRole("button").map((button) => button.textContent);
    expect(words.filter(Boolean)).toEqual([
      "Enviar para uma conta bancária",
      "Fechar",
      "Ver minhas chaves Pix",
    ]);
    await user.click(dialog.getByRole("button", { name: "Ver minhas chaves Pix" }));
    await screen.findByText("Suas chaves Pix cadastradas");
    expect(app.address()).toBe(settings);
    await user.click(screen.getByRole("link", { name: "Voltar ao saldo" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/saldo"));
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-017 SHL-018 sends no %s to a page that would refuse them, and says who adds keys",
    async (profile) => {
      serveKeys();
      const { dialog } = await openDialog({ profile });
      await dialog.findByText(
        "Adicione uma chave Pix para operar seus recursos com mais eficiência! Quem adiciona é um administrador da sua empresa: peça a ele.",
      );
      expect(dialog.queryByRole("button", { name: /chaves? Pix$/ })).toBeNull();
    },
  );

  it("SHL-016 copies the code, or the key that has none", async () => {
    serveKeys(another(1), another(2, { key: "outra@aurora.exemplo", pix_qrcode_emv_payload: null }));
    const { user, dialog } = await openDialog();
    for (const [key, copied] of [
      ["financeiro@aurora.exemplo", "00020126PIX"],
      ["outra@aurora.exemplo", "outra@aurora.exemplo"],
    ]) {
      await user.click(await dialog.findByRole("button", { name: `Copiar o código Pix da chave ${key}` }));
      await screen.findByText("Código copiado e pronto para uso!");
      expect(await navigator.clipboard.readText()).toBe(copied);
    }
  });

  it("SHL-017 SHL-018 SHL-019 without keys leads to where they are added, with a way back to the statement", async () => {
    serveKeys(another(1, { status: "ERROR", ownership_date: null }));
    fakeServer.on(readCheckpoint, () => ({ exists: true }));
    const { user, app, dialog } = await openDialog();
    await dialog.findByText("Adicione uma chave Pix para operar seus recursos com mais eficiência!");
    const words = dialog.getAllByRole("button").map((button) => button.textContent);
    expect(words.filter(Boolean)).toEqual([
      "Enviar para uma conta bancária",
      "Fechar",
      "Adicionar chave Pix",
    ]);
    await user.click(dialog.getByRole("button", { name: "Adicionar chave Pix" }));
    await screen.findByText("Suas chaves Pix cadastradas");
    expect(app.address()).toBe(settings);
    await user.click(screen.getByRole("link", { name: "Voltar ao saldo" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/saldo"));
  });

  it("SHL-018 SHL-012 SHL-020 SHL-021 SHL-022 SHL-023 SHL-024 STM-032 STM-034 goes on to a bank account and back", async () => {
    serveKeys(another(1));
    fakeServer.on(listPaymentAccounts, () => ({
      data: [
        { ...paymentAccount("p", "1"), isPix: true },
        { ...paymentAccount("old", "3"), Bank: { ...house, code: "237", name: "Bradesco" } },
        paymentAccount("a", "10184"),
        paymentAccount("b", "2".repeat(30)),
      ],
    }));
    const { user, dialog } = await openDialog();
    await dialog.findByRole("button", { name: "Ver minhas chaves Pix" });
    await user.click(dialog.getByRole("button", { name: "Enviar para uma conta bancária" }));
    const bank = within(await screen.findByRole("dialog", { name: "Enviar saldo" }));
    const field = await bank.findByRole<HTMLInputElement>("combobox", {
      name: "Para qual conta você deseja enviar o saldo?",
    });
    expect(field.required).toBe(true);
    expect(field.value).toBe("593 Malote Pagamentos · Ag. 0001 · Conta 10184-7");
    const lines = () =>
      bank.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(lines()).toEqual([
      ["Banco", "593 · Malote Pagamentos"],
      ["Tipo de conta", "Conta de pagamento"],
      ["Agência", "0001"],
      ["Conta", "10184-7"],
      ["Nome", "Aurora Comércio"],
      ["CNPJ", "27.418.639/0001-48"],
    ]);
    const marks = document.querySelectorAll("[data-size]");
    expect([...marks].map((mark) => [mark.getAttribute("data-size"), mark.textContent])).toEqual([
      ["24", "593"],
      ["48", "593"],
    ]);
    await user.click(field);
    const options = screen.getAllByRole("option");
    expect(options).toHaveLength(2);
    await user.click(options[1] as HTMLElement);
    expect([...field.value]).toHaveLength(51);
    expect(lines()[3]).toEqual(["Conta", `${"2".repeat(30)}-7`]);
    await user.click(bank.getByRole("button", { name: "Voltar para as chaves Pix" }));
    await screen.findByRole("button", { name: "Ver minhas chaves Pix" });
  });

  it("offers no way to the keys to whoever may not enter there", async () => {
    serveKeys(another(1));
    const { dialog } = await openDialog({ profile: "operator" });
    await dialog.findByRole("radio");
    expect(dialog.queryByRole("button", { name: "Ver minhas chaves Pix" })).toBeNull();
    expect(fakeServer.calls(readPixKey)).toHaveLength(0);
  });
});
