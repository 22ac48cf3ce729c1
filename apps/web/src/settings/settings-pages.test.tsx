import {
  changeCompanySettings,
  listBanks,
  listPaymentAccounts,
  readCompanyBankAccount,
  readCompanySettings,
} from "@malote/contracts/company";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { keepSession } from "../shell/session-keeper.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildPixKey, serveKeys } from "../testing/pix-keys.ts";
import { renderApp } from "../testing/render-app.tsx";

const bankData = "/pagamentos/configuracoes/dados-bancarios";
const general = "/pagamentos/configuracoes/geral";
const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
const house = { id: "99999593", code: "593", ispb: "99999593", name: "Malote Pagamentos", image: null };
const caixa = { id: "00360305", code: "104", ispb: "00360305", name: "Caixa Econômica Federal", image: null };
const account = {
  bank_id: "60701190",
  agency: "1234",
  agency_digit: null,
  account_type: "CONTA_CORRENTE",
  account: "56789",
  account_digit: "7",
  name: "Aurora Serviços",
  cpfCnpj: "27418639000148",
} as const;

beforeEach(() => {
  fakeServer.on(readCompanyBankAccount, () => account);
  fakeServer.on(listBanks, () => ({ data: [itau, caixa, house] }));
  fakeServer.byDefault(listPaymentAccounts, () => ({ data: [] }));
});

const section = async (name: string) => within(await screen.findByRole("region", { name }));
/** Words of each line, without the tile beside them. */
const linesOf = (box: Awaited<ReturnType<typeof section>>) =>
  box.getAllByRole("term").map((term) => [
    term.textContent,
    [...(term.nextElementSibling?.childNodes ?? [])]
      .filter((node) => node instanceof Text)
      .map((node) => node.textContent)
      .join(""),
  ]);

describe("tabs", () => {
  it("SET-001 follow the route, and their area opens the first one", async () => {
    const user = userEvent.setup();
    serveKeys(buildPixKey());
    const app = renderApp("/pagamentos/configuracoes");
    const tabs = within(await screen.findByRole("navigation", { name: "Configurações" }));
    expect(app.address()).toBe(bankData);
    expect(tabs.getAllByRole("link").map((tab) => tab.textContent)).toEqual([
      "Dados bancários",
      "Configurações gerais",
    ]);
    expect(tabs.getByRole("link", { current: "page" }).textContent).toBe("Dados bancários");
    await user.click(tabs.getByRole("link", { name: "Configurações gerais" }));
    await waitFor(() => expect(app.address()).toBe(general));
    await screen.findByRole("heading", { name: "Correção Automática" });
    const after = within(screen.getByRole("navigation", { name: "Configurações" }));
    expect(after.getByRole("link", { current: "page" }).textContent).toBe("Configurações gerais");
  });

  it("SHL-019 offer the way back to the statement only to a person who came from sending balance", async () => {
    serveKeys(buildPixKey());
    renderApp(bankData);
    await screen.findByRole("heading", { name: "Configurações", level: 1 });
    expect(screen.queryByRole("link", { name: "Voltar ao saldo" })).toBeNull();
  });

  it.each(["operator", "analyst"] as const)(
    "SET-001 are closed to %s, who sees no menu entry either",
    async (profile) => {
      const app = renderApp(general, { session: { profile } });
      await screen.findByText("Você não tem permissão para acessar esta página");
      expect(app.address()).toBe("/acesso-negado");
      await screen.findByRole("link", { name: "Lotes" });
      expect(screen.queryByRole("link", { name: "Configurações" })).toBeNull();
    },
  );
});

describe("Suas chaves Pix cadastradas", () => {
  it("PIX-006 SET-002 SET-003 SET-004 shows one card per key, with its pill, and opens the wizard", async () => {
    const user = userEvent.setup();
    serveKeys(
      buildPixKey(),
      buildPixKey({
        id: "0198f000-0000-7000-8000-000000000072",
        key_type: "TELEFONE",
        key: "+5511987654321",
        status: "PENDING_REMOVAL",
      }),
      buildPixKey({
        id: "0198f000-0000-7000-8000-000000000073",
        key_type: "EMAIL",
        key: "rh@aurora.exemplo",
        status: "VALIDATING",
        ownership_date: null,
      }),
      buildPixKey({
        id: "0198f000-0000-7000-8000-000000000074",
        key: "sac@aurora.exemplo",
        status: "WAITING_CLAIM_APPROVAL",
      }),
    );
    const app = renderApp(bankData);
    const cards = within(
      (await (await section("Suas chaves Pix cadastradas")).findByRole("list")) as HTMLElement,
    ).getAllByRole<HTMLButtonElement>("button");
    expect(cards).toHaveLength(5);
    const [linked, removing, waiting, claimed, add] = cards;
    const pills = cards.map((card) => card.querySelector("[data-color]"));
    expect(pills.map((pill) => pill && [pill.textContent, pill.getAttribute("data-color")])).toEqual([
      ["Chave vinculada", "blue"],
      ["Removendo chave", "yellow"],
      ["Validação pendente", "yellow"],
      ["Aguardando reivindicação", "yellow"],
      null,
    ]);
    expect(removing?.textContent).toContain("(11) 98765-4321");
    expect([linked?.disabled, removing?.disabled, waiting?.disabled]).toEqual([false, true, false]);
    const warning = "Esta chave ainda não recebe pagamentos";
    expect(removing?.textContent).toContain("Esta chave está sendo excluída");
    expect(removing?.textContent).not.toContain(warning);
    expect(linked?.textContent).not.toContain(warning);
    // The key is still registered while another holder's claim is open.
    expect(claimed?.textContent).not.toContain(warning);
    // The warning has visible words beside the icon.
    const said = within(waiting as HTMLElement).getByText(warning);
    expect(said.className).not.toContain("sr-only");
    await user.click(waiting as HTMLElement);
    await screen.findByRole("dialog", { name: "Chave Pix" });
    expect(app.address()).toContain("chave=0198f000-0000-7000-8000-000000000073");
    await user.click(await screen.findByRole("button", { name: "Voltar" }));
    await user.click(add as HTMLElement);
    await screen.findByRole("dialog", { name: "Adicionar chave Pix" });
  });

  const manyKeys = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      buildPixKey({
        id: `0198f000-0000-7000-8000-0000000001${String(at).padStart(2, "0")}`,
        key: `chave${at}@aurora.exemplo`,
      }),
    );

  it("SET-005 PIX-008 shows no add card at twenty keys, nor without the permission", async () => {
    // A key that waits for its code counts too.
    const many = manyKeys(20).map((key, at) =>
      at === 0 ? { ...key, status: "VALIDATING" as const, ownership_date: null } : key,
    );
    serveKeys(...many);
    const first = renderApp(bankData);
    await screen.findByText("chave19@aurora.exemplo");
    expect(screen.queryByRole("button", { name: "Adicionar chave Pix" })).toBeNull();
    first.unmount();
    serveKeys(...many.slice(1));
    const second = renderApp(bankData);
    await screen.findByRole("button", { name: "Adicionar chave Pix" });
    second.unmount();
    renderApp(bankData, { session: { permissions: ["platform_access", "pix_key_delete"] } });
    await screen.findByText("chave19@aurora.exemplo");
    expect(screen.queryByRole("button", { name: "Adicionar chave Pix" })).toBeNull();
  });

  it("SET-005 PIX-008 opens the new key's form by its address only when the add card is shown", async () => {
    const openNew = async (count: number, permission: string) => {
      serveKeys(...manyKeys(count));
      const app = renderApp(`${bankData}?chave=nova`, {
        session: { permissions: ["platform_access", permission] },
      });
      await screen.findByText(`chave${count - 1}@aurora.exemplo`);
      return app;
    };
    const form = { name: "Adicionar chave Pix" };
    const first = await openNew(19, "pix_key_register");
    // The first visit loads the form's chunk.
    await screen.findByRole("dialog", form);
    first.unmount();
    const second = await openNew(20, "pix_key_register");
    expect(screen.queryByRole("dialog", form)).toBeNull();
    second.unmount();
    await openNew(19, "pix_key_delete");
    expect(screen.queryByRole("dialog", form)).toBeNull();
  });

  it("keeps the new key's form, with what was typed, when another person adds the last key", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup();
    const [pending, ...others] = manyKeys(19);
    const keys = serveKeys({ ...(pending as ReturnType<typeof buildPixKey>), status: "PENDING" }, ...others);
    renderApp(`${bankData}?chave=nova`);
    const phone = await screen.findByRole<HTMLInputElement>("textbox", { name: "Celular" });
    await user.type(phone, "11987654321");
    keys.change("0198f000-0000-7000-8000-000000000199", { key: "ultima@aurora.exemplo" });
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    await screen.findByText("ultima@aurora.exemplo");
    expect(phone.isConnected).toBe(true);
    expect(phone.value).toBe("(11) 98765-4321");
  });
});

describe("the accounts", () => {
  it.each(["Malote", "Horizonte"])(
    "SET-007 SHL-003 SHL-024 shows the account at the provider under the brand %s",
    async (brand) => {
      serveKeys();
      const own = {
        id: "a",
        Bank: house,
        isPix: false,
        isProviderAccount: true,
        key: null,
        keyType: null,
        agency: "1",
        account: "10184",
        account_digit: "7",
        account_type: "CONTA_PAGAMENTO",
        operation_type: null,
        cpfCnpj: "27418639000148",
        name: "Aurora Comércio",
        bank_id: house.id,
      };
      const ofKey = { ...own, id: "b", isPix: true, key: "a@b.c", keyType: "EMAIL", account: "222" };
      const elsewhere = { ...own, id: "c", isProviderAccount: false, Bank: itau, account: "333" };
      fakeServer.on(listPaymentAccounts, () => ({ data: [ofKey, elsewhere, own] }));
      renderApp(bankData, { brand: { name: brand } });
      const box = await section(`Sua conta na ${brand}`);
      await box.findByText("99999593");
      const mark = box.getByText("593 · Malote Pagamentos").querySelector("[data-size]");
      expect([mark?.getAttribute("data-size"), mark?.textContent]).toEqual(["48", "593"]);
      expect(linesOf(box)).toEqual([
        ["ISPB", "99999593"],
        ["Instituição", "593 · Malote Pagamentos"],
        ["Agência", "0001"],
        ["Conta", "10184-7"],
        ["Tipo de conta", "Conta de pagamento"],
      ]);
    },
  );
});

describe("the general tab", () => {
  const switched = () =>
    screen.findByRole<HTMLInputElement>("switch", { name: "Corrigir dados bancários automaticamente" });

  it("SET-012 SET-013 SET-014 switches automatic correction at once", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeCompanySettings, () => "Configurações salvas com sucesso!");
    renderApp(general);
    await screen.findByRole("heading", { name: "Correção Automática" });
    expect((await switched()).checked).toBe(false);
    await user.click(await switched());
    await screen.findByText("A correção automática está ativa");
    await user.click(await switched());
    await screen.findByText("A correção automática está desabilitada");
    expect(fakeServer.calls(changeCompanySettings).map(({ body }) => body)).toEqual([
      { accept_contacerta_suggestions: true },
      { accept_contacerta_suggestions: false },
    ]);
  });

  it("switches e-mails to payees at once, and returns to its state when that fails", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeCompanySettings, () => "Configurações salvas com sucesso!");
    renderApp(general);
    const find = () =>
      screen.findByRole<HTMLInputElement>("switch", {
        name: "Enviar o comprovante por e-mail a quem recebe",
      });
    await user.click(await find());
    await screen.findByText("Quem recebe será avisado por e-mail");
    expect(fakeServer.calls(changeCompanySettings).map(({ body }) => body)).toEqual([
      { emails_payees: true },
    ]);
    fakeServer.on(changeCompanySettings, () => refuse("too_many_requests"));
    await user.click(await find());
    await screen.findByText(/^Ocorreu um erro ao alterar a configuração dos e-mails Muitas chamadas/);
    expect((await find()).checked).toBe(true);
  });

  it("reports with a code for support that the settings could not be read", async () => {
    renderApp(general);
    fakeServer.on(readCompanySettings, () => refuse("internal"));
    await screen.findByText("Não foi possível carregar as configurações");
    screen.getByText(/Código para o suporte/);
    screen.getByRole("button", { name: "Tentar de novo" });
  });

  it.each([false, true])("SET-015 returns to %s and shows why when saving fails", async (was) => {
    const user = userEvent.setup();
    fakeServer.on(changeCompanySettings, () => refuse("too_many_requests"));
    renderApp(general, { settings: { acceptContaCertaSuggestions: was } });
    await waitFor(async () => expect((await switched()).checked).toBe(was));
    await user.click(await switched());
    await screen.findByText(/^Ocorreu um erro ao alterar a configuração do ContaCerta Muitas chamadas/);
    expect(screen.queryByText(/^A correção automática está/)).toBeNull();
    expect((await switched()).checked).toBe(was);
    expect(fakeServer.calls(changeCompanySettings).map(({ body }) => body)).toEqual([
      { accept_contacerta_suggestions: !was },
    ]);
  });

  it.each([
    ["the correction", "switch", "Corrigir dados bancários automaticamente"],
    ["the e-mails to payees", "switch", "Enviar o comprovante por e-mail a quem recebe"],
    ["the address for answers", "button", "Salvar"],
  ] as const)(
    "SET-015 SET-019 reports no failure of %s when the person leaves the question for the password",
    async (_what, role, name) => {
      const user = userEvent.setup();
      onTestFinished(keepSession());
      fakeServer.on(changeCompanySettings, () => refuse("identity_unconfirmed"));
      renderApp(general, { settings: { replyToEmail: "antigo@aurora.exemplo" } });
      const action = await screen.findByRole(role, { name });
      await user.click(action);
      const question = within(await screen.findByRole("dialog", { name: "Confirme que é você" }));
      await user.click(question.getByRole("button", { name: "Cancelar" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      await waitFor(() => expect(action.getAttribute("aria-busy")).toBeNull());
      expect(screen.queryByText(/^Ocorreu um erro/)).toBeNull();
      expect(fakeServer.calls(changeCompanySettings)).toHaveLength(1);
    },
  );

  it("SET-016 SET-017 SET-018 SET-019 SET-021 shows who gets the answers, and saves it", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeCompanySettings, () => refuse("unavailable"));
    renderApp(general, { settings: { replyToEmail: "antigo@aurora.exemplo" } });
    await screen.findByRole("heading", { name: "Encaminhar respostas (Reply to)" });
    const field = screen.getByRole<HTMLInputElement>("textbox", {
      name: "E-mail que receberá as respostas:",
    });
    const save = screen.getByRole("button", { name: "Salvar" });
    expect(field.required).toBe(true);
    expect(field.value).toBe("antigo@aurora.exemplo");
    for (const wrong of ["", "financeiro@"]) {
      await user.clear(field);
      if (wrong) await user.type(field, wrong);
      await user.click(save);
      screen.getByText("E-mail inválido");
    }
    expect(fakeServer.calls(changeCompanySettings)).toHaveLength(0);
    await user.clear(field);
    await user.type(field, "financeiro@aurora.exemplo");
    await user.click(save);
    await screen.findByText(/^Ocorreu um erro ao salvar a configuração Estamos nos recuperando/);
    expect(field.value).toBe("financeiro@aurora.exemplo");
    expect(screen.queryByText("Configurações salvas com sucesso!")).toBeNull();
    fakeServer.on(changeCompanySettings, () => "Configurações salvas com sucesso!");
    await user.click(save);
    await screen.findByText("Configurações salvas com sucesso!");
    expect(fakeServer.calls(changeCompanySettings).at(-1)?.body).toEqual({
      reply_to_email: "financeiro@aurora.exemplo",
    });
  });

  it("SET-018 sends the address in lower case, and shows the saved one when the tab is opened again", async () => {
    const user = userEvent.setup();
    serveKeys(buildPixKey());
    fakeServer.on(changeCompanySettings, () => "Configurações salvas com sucesso!");
    const app = renderApp(general, { settings: { replyToEmail: "antigo@aurora.exemplo" } });
    const find = () =>
      screen.findByRole<HTMLInputElement>("textbox", { name: "E-mail que receberá as respostas:" });
    await user.clear(await find());
    await user.type(await find(), "Financeiro@AURORA.exemplo");
    await user.click(screen.getByRole("button", { name: "Salvar" }));
    await waitFor(async () => expect((await find()).value).toBe("financeiro@aurora.exemplo"));
    expect(fakeServer.calls(changeCompanySettings).map(({ body }) => body)).toEqual([
      { reply_to_email: "financeiro@aurora.exemplo" },
    ]);
    await user.click(screen.getByRole("link", { name: "Dados bancários" }));
    await waitFor(() => expect(app.address()).toBe(bankData));
    await user.click(await screen.findByRole("link", { name: "Configurações gerais" }));
    expect((await find()).value).toBe("financeiro@aurora.exemplo");
  });
});
