import {
  changeCompanySettings,
  createCheckpoint,
  listAccountTypes,
  listBanks,
  readCheckpoint,
  readCompanyBankAccount,
  readCompanySettings,
  readUserSettings,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import type { TokenContent } from "@malote/contracts/session";
import { accountTypesAt } from "@malote/domain/bank-account";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { features as allFeatures } from "../entries/features.ts";
import { settings } from "../settings/feature.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { serveKeys } from "../testing/pix-keys.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { buildSession, payments, validation } from "../testing/token.ts";
import { hasFilledFirstSteps } from "./api.ts";
import { firstSteps } from "./feature.ts";
import { sendToFirstSteps } from "./index.ts";
import { checkAccount, emptyAccount } from "./withdrawal-account.ts";

const address = "/pagamentos/primeiros-passos";
const features = [firstSteps, placeholderScreens("BatchesPage", "StatementPage")];
const open = (at = address, session = {}) => renderApp(at, { features, session });

let companies = 0;
/** Each test has its own company, because filled first steps are cached for the life of the page. */
function buildCompany() {
  companies += 1;
  const id = `0198f000-0000-7000-8000-0000000e${String(companies).padStart(4, "0")}`;
  return { id, name: "Horizonte Logística Ltda", cpfCnpj: "27418639000148", acceptedContract: true };
}

beforeEach(() => {
  fakeServer.on(readCheckpoint, () => ({ exists: false }));
  fakeServer.on(readCompanyBankAccount, () => null);
  fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled: false, isTwoFactorEnforced: false }));
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.on(saveCompanyBankAccount, () => ({ ok: true as const }));
  fakeServer.on(listBanks, () => ({
    data: [
      { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null },
      { id: "18236120", code: "260", ispb: "18236120", name: "Nubank", image: null },
    ],
  }));
});

async function fillAccount(user: ReturnType<typeof userEvent.setup>, digit = "2"): Promise<void> {
  await user.click(await screen.findByRole("combobox", { name: "Banco" }));
  await user.type(screen.getByRole("combobox", { name: "Banco" }), "itau");
  await user.click(await screen.findByRole("option", { name: "341 · Itaú Unibanco" }));
  await user.click(screen.getByRole("combobox", { name: "Tipo de conta" }));
  await user.click(await screen.findByRole("option", { name: "Conta corrente" }));
  await user.type(screen.getByLabelText("Agência"), "2545");
  await user.type(screen.getByLabelText("Conta"), "02366");
  const digits = screen.getAllByLabelText("Dígito");
  await user.type(digits[1]!, digit);
}

describe("Primeiros passos", () => {
  it("FST-001 FST-002 FST-003 FST-004 an admin fills all three sections the first time", async () => {
    open(address, { company: buildCompany() });
    await screen.findByRole("heading", { name: "Primeiros passos", level: 1 });
    screen.getByText("Leva dois minutos e é feito uma única vez para toda a empresa.");
    await screen.findByRole("heading", { name: "Em qual conta você irá receber seus saques" });
    await screen.findByRole("button", { name: "Ativar 2FA agora" });
    expect(screen.queryByText("Ativada")).toBeNull();
    await screen.findByText("A correção automática está inativa");
  });

  it("FST-003 shows the badge when the second factor is on", async () => {
    fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled: true, isTwoFactorEnforced: false }));
    open(address, { company: buildCompany() });
    await screen.findByText("Ativada");
    expect(screen.queryByRole("button", { name: "Ativar 2FA agora" })).toBeNull();
  });

  it.each([
    ["an operator", { profile: "operator" as const }, false],
    ["an analyst", { profile: "analyst" as const }, false],
    ["an admin of a company that has the mark", {}, true],
  ])(
    "FST-002 FST-004 FST-005 SES-051 %s sees two-factor authentication only",
    async (_, session: { profile?: "operator" | "analyst" }, exists) => {
      fakeServer.on(readCheckpoint, ({ query }) => ({ exists: exists && query.in_company === "true" }));
      open(address, { company: buildCompany(), ...session });
      await screen.findByRole("button", { name: "Ativar 2FA agora" });
      expect(screen.queryByText("Em qual conta você irá receber seus saques")).toBeNull();
      expect(screen.queryByText(/A correção automática está/)).toBeNull();
      // FST-005: only admins see what applies to the whole company.
      expect(screen.queryByText(/para toda a empresa/) !== null).toBe(session.profile === undefined);
    },
  );

  it("FST-005 counts as the first time until the company has its mark, whatever the admin's own mark", async () => {
    fakeServer.on(readCheckpoint, ({ query }) => ({ exists: query.in_company === undefined }));
    open(address, { company: buildCompany() });
    await screen.findByRole("heading", { name: "Em qual conta você irá receber seus saques" });
  });

  it("FST-006 SET-011 sends nothing while the account is wrong, and shows the reason at every field", async () => {
    const user = userEvent.setup();
    open(address, { company: buildCompany() });
    await user.click(await screen.findByRole("button", { name: "Finalizar cadastro" }));
    const summary = within(await screen.findByRole("alert"));
    for (const text of ["Informe o banco", "Informe o tipo de conta", "Informe a agência, somente números"]) {
      summary.getByText(text);
    }
    expect(fakeServer.calls(saveCompanyBankAccount)).toHaveLength(0);
  });

  it("SET-011 refuses a wrong check digit and shows the right one", () => {
    const company = buildCompany();
    const values = {
      ...emptyAccount(company),
      bank_id: "60701190",
      account_type: "CONTA_CORRENTE" as const,
      agency: "2545",
      account: "02366",
      account_digit: "9",
    };
    expect(checkAccount(values, "341", true).account_digit).toContain("O certo parece ser 1.");
    expect(checkAccount({ ...values, account_digit: "1" }, "341", true)).toEqual({});
    // At a bank without a certain rule, an unusual number is accepted.
    expect(checkAccount({ ...values, bank_id: "00416968", account_digit: "" }, "077", true)).toEqual({});
  });

  it("SET-011 requires the number of the account, a name of three letters and a valid document", () => {
    const values = {
      ...emptyAccount(buildCompany()),
      bank_id: "60701190",
      account_type: "CONTA_CORRENTE" as const,
      agency: "2545",
      account: "02366",
      account_digit: "1",
    };
    const wrong = (change: Partial<typeof values>) => checkAccount({ ...values, ...change }, "341", true);
    expect(wrong({ account: "" }).account).toBeTruthy();
    expect(wrong({ name: " Ab " })).toEqual({ name: "O nome deve ter no mínimo 3 letras" });
    expect(wrong({ name: "Abc" })).toEqual({});
    expect(wrong({ cpfCnpj: "27418639000149" })).toEqual({ cpfCnpj: "O CPF/CNPJ deve ser válido" });
  });

  it("SET-011 accepts any bank for a public entity when the company does not require Caixa", async () => {
    const user = userEvent.setup();
    const settings = { publicEntityNeedsCaixa: false };
    fakeServer.on(listAccountTypes, () => ({ data: accountTypesAt("341", settings.publicEntityNeedsCaixa) }));
    const app = renderApp(address, { features, settings, session: { company: buildCompany() } });
    await fillAccount(user, "1");
    await user.click(screen.getByRole("combobox", { name: "Tipo de conta" }));
    await user.click(await screen.findByRole("option", { name: "Entidades públicas" }));
    await user.click(screen.getByRole("button", { name: "Finalizar cadastro" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    expect(fakeServer.calls(saveCompanyBankAccount)[0]?.body).toMatchObject({
      bank_id: "60701190",
      account_type: "ENTIDADES_PUBLICAS",
    });
  });

  it("FST-007 FST-008 saves the account, then the mark, and returns to the page where the person came from", async () => {
    const user = userEvent.setup();
    const wanted = "/pagamentos/saldo?mes=2026-03";
    const app = open(`${address}?redirectedFrom=${encodeURIComponent(wanted)}`, { company: buildCompany() });
    await fillAccount(user, "1");
    await user.click(screen.getByRole("button", { name: "Finalizar cadastro" }));
    await waitFor(() => expect(app.address()).toBe(wanted));
    expect(fakeServer.calls(saveCompanyBankAccount)[0]?.body).toEqual({
      bank_id: "60701190",
      agency: "2545",
      agency_digit: null,
      account_type: "CONTA_CORRENTE",
      account: "02366",
      account_digit: "1",
      name: "Horizonte Logística Ltda",
      cpfCnpj: "27418639000148",
    });
    expect(fakeServer.calls(createCheckpoint)[0]?.body).toEqual({ location: "HAS_FILLED_FIRST_STEPS" });
  });

  it("SHL-056 proposes a Pix key to the admin who has just filled them", async () => {
    const user = userEvent.setup();
    serveKeys();
    renderApp(address, { features: [...features, settings], session: { company: buildCompany() } });
    await fillAccount(user, "1");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Finalizar cadastro" }));
    await screen.findByRole("dialog", { name: "Cadastre sua chave Pix" });
  });

  it.each([true, undefined])(
    "FST-007 reports when the account waits for another person, and goes on: %s",
    async (awaits_approval) => {
      const user = userEvent.setup();
      fakeServer.on(saveCompanyBankAccount, () => ({
        ok: true as const,
        ...(awaits_approval && { awaits_approval }),
      }));
      const app = open(`${address}?redirectedFrom=%2Fpagamentos%2Fsaldo`, { company: buildCompany() });
      await fillAccount(user, "1");
      await user.click(screen.getByRole("button", { name: "Finalizar cadastro" }));
      await waitFor(() => expect(app.address()).toBe("/pagamentos/saldo"));
      expect(fakeServer.calls(createCheckpoint)).toHaveLength(1);
      const text = "Enviado para aprovação. Nada acontece antes que outra pessoa aprove.";
      if (awaits_approval) await screen.findByText(text);
      else expect(screen.queryByText(text)).toBeNull();
    },
  );

  it("FST-007 records no mark when the account is refused, and shows the fields that the server names", async () => {
    const user = userEvent.setup();
    fakeServer.on(saveCompanyBankAccount, () => refuse("invalid_request", { fields: ["agency"] }));
    open(address, { company: buildCompany() });
    await fillAccount(user, "1");
    await user.click(screen.getByRole("button", { name: "Finalizar cadastro" }));
    expect(await screen.findAllByText("Confira este campo")).toHaveLength(2);
    expect(fakeServer.calls(createCheckpoint)).toHaveLength(0);
    expect(screen.getByLabelText<HTMLInputElement>("Conta").value).toBe("02366");
  });

  it.each([
    ["without an address to return to", ""],
    [
      "with a return address outside of the application",
      "?redirectedFrom=https%3A%2F%2Fgolpe.exemplo%2Fpagamentos%2Fsaldo",
    ],
  ])("FST-007 FST-008 records an analyst's mark and opens the batches %s", async (_, search) => {
    const user = userEvent.setup();
    const app = open(`${address}${search}`, { company: buildCompany(), profile: "analyst" });
    await user.click(await screen.findByRole("button", { name: "Finalizar cadastro" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    expect(fakeServer.calls(saveCompanyBankAccount)).toHaveLength(0);
    expect(recordedMarks()).toEqual(["HAS_FILLED_FIRST_STEPS"]);
  });

  it("FST-004 the switch saves at once, and returns to its state when that fails", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeCompanySettings, () => "Configurações salvas com sucesso!");
    open(address, { company: buildCompany() });
    await screen.findByText("A correção automática está inativa");
    await user.click(screen.getByRole("switch"));
    await screen.findByText("A correção automática está ativa");
    const isSaved = () =>
      waitFor(() => expect(screen.getByRole("switch").getAttribute("aria-busy")).toBeNull());
    await isSaved();
    await user.click(screen.getByRole("switch"));
    await screen.findByText("A correção automática está inativa");
    await isSaved();
    expect(fakeServer.calls(changeCompanySettings).map(({ body }) => body)).toEqual([
      { accept_contacerta_suggestions: true },
      { accept_contacerta_suggestions: false },
    ]);
    fakeServer.on(changeCompanySettings, () => refuse("unavailable"));
    await user.click(screen.getByRole("switch"));
    await screen.findByText(/Estamos nos recuperando de uma falha/);
    screen.getByText("A correção automática está inativa");
  });

  it("FST-021 FST-023 requests the company's mark, and caches only that it exists", async () => {
    const company = buildCompany();
    const session = { company, profile: "admin", sub: "0198f000-0000-7000-8000-0000000000f1" } as const;
    expect(await sendToFirstSteps("StatementPage")(session as never)).toBe(
      "/pagamentos/primeiros-passos?redirectedFrom=%2Fpagamentos%2Fsaldo",
    );
    fakeServer.on(readCheckpoint, () => ({ exists: true }));
    expect(await hasFilledFirstSteps(session)).toBe(true);
    expect(await sendToFirstSteps("StatementPage")(session as never)).toBeUndefined();
    const asked = ["HAS_FILLED_FIRST_STEPS", { in_company: "true" }];
    const marks = fakeServer.calls(readCheckpoint).map(({ params, query }) => [params["id"], query]);
    expect(marks).toEqual([asked, asked]);
  });

  it("FST-023 the mark of an operator ends the first steps of no other person and no other company", async () => {
    fakeServer.on(readCheckpoint, ({ query }) => ({ exists: query.in_company === undefined }));
    const company = buildCompany();
    const rui = { company, profile: "operator", sub: "0198f000-0000-7000-8000-0000000000f2" } as const;
    const helena = { company, profile: "admin", sub: "0198f000-0000-7000-8000-0000000000f1" } as const;
    expect([await hasFilledFirstSteps(rui), await hasFilledFirstSteps(helena)]).toEqual([true, false]);
    expect(await hasFilledFirstSteps({ ...rui, company: buildCompany(), profile: "admin" })).toBe(false);
  });

  it("FST-009 only the statement, the receivers and, in payments, the users redirect a company here", async () => {
    const sending = async (given: Partial<TokenContent>) => {
      const names: unknown[] = [];
      const session = buildSession({ company: buildCompany(), ...given });
      for (const { name, before = [] } of allFeatures.flatMap(({ pages }) => pages)) {
        for (const check of before) {
          const to = await check(session);
          if (to?.startsWith(address)) names.push(name);
        }
      }
      return names.sort();
    };
    fakeServer.byDefault(readCompanySettings, () => buildCompanySettings());
    expect(await sending({})).toEqual(["AdminUsersPage", "ReceiversPage", "StatementPage"]);
    const here = { application: validation, allowed_applications: [payments, validation] };
    expect(await sending(here)).not.toContain("AdminUsersPage");
    for (const profile of ["operator", "analyst"] as const)
      expect(await sending({ profile })).toEqual(["ReceiversPage", "StatementPage"]);
    // Operators and analysts need only their own mark; admins need that of the company.
    fakeServer.on(readCheckpoint, ({ query }) => ({ exists: query.in_company === undefined }));
    for (const profile of ["operator", "analyst"] as const) expect(await sending({ profile })).toEqual([]);
    expect(await sending({})).toEqual(["AdminUsersPage", "ReceiversPage", "StatementPage"]);
    // The mark of the company is enough for every profile.
    fakeServer.on(readCheckpoint, ({ query }) => ({ exists: query.in_company !== undefined }));
    for (const profile of ["admin", "operator", "analyst"] as const)
      expect(await sending({ profile })).toEqual([]);
  });

  it("FST-025 counts first steps as filled when the mark cannot be read", async () => {
    fakeServer.on(readCheckpoint, () => refuse("internal"));
    expect(await hasFilledFirstSteps({ company: buildCompany(), profile: "analyst", sub: "somebody" })).toBe(
      true,
    );
  });

  it.each(["operator", "analyst"] as const)(
    "FST-025 counts first steps as filled when the own mark of an %s alone cannot be read",
    async (profile) => {
      fakeServer.on(readCheckpoint, ({ query }) =>
        query.in_company === "true" ? { exists: false } : refuse("internal"),
      );
      const sub = "0198f000-0000-7000-8000-0000000000f3";
      expect(await hasFilledFirstSteps({ company: buildCompany(), profile, sub })).toBe(true);
    },
  );

  it.each(["admin", "operator"] as const)(
    "FST-007 FST-025 opens to an %s when its mark cannot be read, records it all the same and goes on",
    async (profile) => {
      const user = userEvent.setup();
      fakeServer.on(readCheckpoint, () => refuse("internal"));
      const app = open(address, { company: buildCompany(), profile });
      await user.click(await screen.findByRole("button", { name: "Finalizar cadastro" }));
      await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
      expect(recordedMarks()).toEqual(["HAS_FILLED_FIRST_STEPS"]);
      // The section that requires it was not shown.
      expect(fakeServer.calls(saveCompanyBankAccount)).toHaveLength(0);
    },
  );

  it("FST-007 FST-025 saves the account of an admin whose mark fails, and goes on", async () => {
    const user = userEvent.setup();
    fakeServer.on(createCheckpoint, () => refuse("internal"));
    const session = { company: buildCompany() };
    const app = open(address, session);
    await fillAccount(user, "1");
    await user.click(screen.getByRole("button", { name: "Finalizar cadastro" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    expect(fakeServer.calls(saveCompanyBankAccount)).toHaveLength(1);
    // A page that needs first steps does not send the person back to them.
    expect(await sendToFirstSteps("StatementPage")(buildSession(session))).toBeUndefined();
  });

  it("FST-025 lets every person leave the page when the mark fails", async () => {
    const user = userEvent.setup();
    fakeServer.on(createCheckpoint, () => refuse("internal"));
    const session = { company: buildCompany(), profile: "operator" as const };
    const app = open(address, session);
    await user.click(await screen.findByRole("button", { name: "Finalizar cadastro" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    expect(await sendToFirstSteps("ReceiversPage")(buildSession(session))).toBeUndefined();
  });
});
