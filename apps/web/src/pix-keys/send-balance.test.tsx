/** Enviar saldo: keys and account by which the company is paid. */
import { listPaymentAccounts, readCheckpoint } from "@malote/contracts/company";
import { listPixKeys, readPixKey } from "@malote/contracts/pix-keys";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { serveKeys } from "../testing/pix-keys.ts";
import { another, emptyPages, home, keysRead, settings } from "../testing/pix-keys-everywhere.ts";
import { renderApp } from "../testing/render-app.tsx";

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

emptyPages();

describe("Enviar saldo", () => {
  async function openDialog(session = {}) {
    const user = userEvent.setup();
    const app = renderApp(home, { session });
    const topBar = within(await screen.findByRole("banner"));
    const opener = await topBar.findByRole("button", { name: "Enviar saldo" });
    expect(opener.querySelector(".tabler-icon-plus")).not.toBeNull();
    await user.click(opener);
    return { user, app, dialog: within(await screen.findByRole("dialog", { name: "Enviar saldo" })) };
  }

  it("SHL-011 SHL-013 SHL-014 SHL-015 PIX-005 PIX-006 lists the first three payable keys, each with its picture", async () => {
    const long = `${"b".repeat(50)}@aurora.exemplo`;
    serveKeys(
      another(1, { ownership_date: null, key: "semdata@aurora.exemplo" }),
      another(2, { status: "VALIDATING", key: "validando@aurora.exemplo" }),
      another(3, { key_type: "CNPJ", key: "12ABC34501DE35", pix_qrcode_image: "Y25wag==" }),
      another(4, { key: long, pix_qrcode_image: null, status: "WAITING_PORTABILITY_APPROVAL" }),
      another(5, {
        key_type: "TELEFONE",
        key: "+5511987654321",
        status: "WAITING_CLAIM_APPROVAL",
        pix_qrcode_image: "Zm9uZQ==",
      }),
      another(6, { key: "quarta@aurora.exemplo" }),
    );
    const { user, dialog } = await openDialog();
    const keys = await dialog.findAllByRole<HTMLInputElement>("radio");
    const chosen = () => keys.map(({ checked }) => checked);
    expect(chosen()).toEqual([true, false, false]);
    expect(keys.map((radio) => radio.closest("label")?.textContent)).toEqual([
      "12.ABC.345/01DE-35CNPJ",
      `${"b".repeat(46)}…E-mail`,
      "(11) 98765-4321Celular",
    ]);
    const picture = (key: string) =>
      dialog.getByRole("img", { name: `Código QR da chave ${key}` }).getAttribute("src");
    expect(picture("12.ABC.345/01DE-35")).toBe("data:image/png;base64,Y25wag==");
    await user.click(keys[1] as HTMLElement);
    expect(chosen()).toEqual([false, true, false]);
    const missing = dialog.getByText("Código QR indisponível para esta chave");
    expect(missing.querySelector("svg")).not.toBeNull();
    await user.click(keys[2] as HTMLElement);
    expect(picture("(11) 98765-4321")).toBe("data:image/png;base64,Zm9uZQ==");
  });

  it("SHL-018 SHL-019 links to the keys when there are some, with a way back to the statement", async () => {
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
    expect(app.history.location.state).toMatchObject({ redirectedFrom: "StatementPage" });
    await user.click(screen.getByRole("link", { name: "Voltar ao saldo" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/saldo"));
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-017 SHL-018 sends no %s to a page that would refuse them, and names who adds keys",
    async (profile) => {
      serveKeys();
      const { dialog } = await openDialog({ profile });
      await dialog.findByText(
        "Adicione uma chave Pix para operar seus recursos com mais eficiência! Quem adiciona é um administrador da sua empresa: peça a ele.",
      );
      expect(dialog.queryByRole("button", { name: /chaves? Pix$/ })).toBeNull();
    },
  );

  it.each(["that never loaded", "that loaded before"])(
    "PIX-007 shows no keys %s when they cannot be loaded, and does not claim that there are none",
    async (which) => {
      const failing = () => fakeServer.on(listPixKeys, () => refuse("internal"));
      serveKeys(another(1));
      if (which === "that never loaded") failing();
      const { user, app, dialog } = await openDialog();
      if (which === "that loaded before") {
        await dialog.findByRole("radio");
        failing();
        await act(() => app.queryClient.invalidateQueries({ queryKey: keysRead }));
      }
      await dialog.findByText("Não foi possível carregar as chaves Pix");
      expect(dialog.queryByRole("radio")).toBeNull();
      expect(dialog.queryByText(/^Adicione uma chave Pix/)).toBeNull();
      expect(dialog.queryByRole("button", { name: "Adicionar chave Pix" })).toBeNull();
      serveKeys(another(1));
      await user.click(dialog.getByRole("button", { name: "Tentar de novo" }));
      await dialog.findByRole("radio");
    },
  );

  it("SHL-013 SHL-016 copies the code, or the key that has none", async () => {
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

  it("SHL-017 SHL-018 SHL-019 without keys links to where they are added, with a way back to the statement", async () => {
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
    expect(app.history.location.state).toMatchObject({ redirectedFrom: "StatementPage" });
    await user.click(screen.getByRole("link", { name: "Voltar ao saldo" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/saldo"));
  });

  it("SHL-018 SHL-012 SHL-020 SHL-021 SHL-022 SHL-023 SHL-024 STM-032 STM-034 switches to a bank account and back", async () => {
    serveKeys(another(1));
    fakeServer.on(listPaymentAccounts, () => ({
      data: [
        { ...paymentAccount("p", "1"), isPix: true },
        { ...paymentAccount("old", "3"), Bank: { ...house, code: "237", name: "Bradesco" } },
        { ...paymentAccount("a", "10184"), Bank: { ...house, image: "/bancos/593.svg" } },
        {
          ...paymentAccount("b", "2".repeat(30)),
          Bank: { ...house, code: "341", name: "Itaú Unibanco" },
          agency: "4321",
          account_type: "CONTA_CORRENTE",
          name: "Aurora Serviços",
          cpfCnpj: "12ABC34501DE35",
        },
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
    const [firstLine] = bank.getAllByRole("term");
    expect(firstLine && field.compareDocumentPosition(firstLine)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    const marks = (...names: string[]) =>
      [...document.querySelectorAll("[data-size]")].map((mark) =>
        ["data-size", ...names].map((name) => mark.getAttribute(name)),
      );
    expect(marks("src", "width", "height")).toEqual([
      ["24", "/bancos/593.svg", "24", "24"],
      ["48", "/bancos/593.svg", "48", "48"],
    ]);
    await user.click(field);
    const options = screen.getAllByRole("option");
    expect(options).toHaveLength(2);
    await user.click(options[1] as HTMLElement);
    expect([...field.value]).toHaveLength(51);
    expect(lines()).toEqual([
      ["Banco", "341 · Itaú Unibanco"],
      ["Tipo de conta", "Conta corrente"],
      ["Agência", "4321"],
      ["Conta", `${"2".repeat(30)}-7`],
      ["Nome", "Aurora Serviços"],
      ["CNPJ", "12.ABC.345/01DE-35"],
    ]);
    // A bank without a logo.
    expect(marks("src")).toEqual([
      ["24", null],
      ["48", null],
    ]);
    await user.click(bank.getByRole("button", { name: "Voltar para as chaves Pix" }));
    await screen.findByRole("button", { name: "Ver minhas chaves Pix" });
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-020 SHL-021 SHL-023 shows an %s the account, too",
    async (profile) => {
      serveKeys(another(1));
      fakeServer.on(listPaymentAccounts, () => ({ data: [paymentAccount("a", "10184")] }));
      const { user, dialog } = await openDialog({ profile });
      await user.click(dialog.getByRole("button", { name: "Enviar para uma conta bancária" }));
      await screen.findByRole("combobox", { name: "Para qual conta você deseja enviar o saldo?" });
      screen.getByText("10184-7");
    },
  );

  it("SHL-018 offers no link to the keys to a person who may not open them", async () => {
    serveKeys(another(1));
    const { user, app, dialog } = await openDialog({ profile: "operator" });
    await dialog.findByRole("radio");
    expect(dialog.queryByRole("button", { name: "Ver minhas chaves Pix" })).toBeNull();
    expect(fakeServer.calls(readPixKey)).toHaveLength(0);
    await user.click(dialog.getByText("Fechar"));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(app.address()).toBe(home);
  });
});
