/** Code of a boleto: typed, pasted or scanned, it fills the form or is refused. */
import { addBoleto, readDuplicatedBoleto } from "@malote/contracts/boletos";
import { readBankByCode } from "@malote/contracts/company";
import { lookUpBoleto } from "@malote/contracts/lookups";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  boletoWizard,
  button,
  codeLabel,
  describeIt,
  energy,
  field,
  open,
  overdue,
  paste,
  sicoob,
  user,
} from "../testing/boleto-wizard.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";

const { show } = boletoWizard();

/** Lets the register answer about the code without value of `open`. */
const registerAsks = (value: number) =>
  fakeServer.on(lookUpBoleto, () => ({
    status: "payable" as const,
    code: null,
    beneficiary: { name: "Imobiliária Vista Alegre Ltda", cpf_cnpj: "11.222.333/0001-81" },
    value,
    due_date: "2026-12-10",
    limit_date: null,
    fine_basis_points: 0,
    interest_basis_points: 0,
    discount: null,
    abatement: 0,
    on_day: null,
    asked_at: "2026-11-19T15:00:00.000Z",
    asked_by: "Sistema",
  }));

describe("a new boleto", () => {
  it.each([
    ["a bank's line", sicoob.line, sicoob.shown],
    ["a bank's line with its mask", sicoob.shown, sicoob.shown],
    ["a bank's line with blanks and dashes", ` ${sicoob.line.replace(/(\d{9})/g, "$1 - ")} `, sicoob.shown],
    ["a bank's barcode", sicoob.barcode, sicoob.shown],
    ["a utility's line", energy.line, energy.shown],
    ["a utility's line with its mask", energy.shown, energy.shown],
    ["a utility's barcode", energy.barcode, energy.shown],
  ])("BIL-010 accepts %s pasted over other text, and shows the line", async (_case, text, shown) => {
    show();
    const box = await paste(codeLabel, "34191");
    expect(box.value.replace(/\D/g, "")).toBe("34191");
    await user.paste(text);
    await waitFor(() => expect(box.value).toBe(shown));
  });

  it.each([
    ["bank", sicoob.line, sicoob.shown],
    ["concessionaire", energy.line, energy.shown],
  ])("BIL-010 inserts the separators of the %s style while digits are typed", async (_case, line, shown) => {
    show();
    const box = await field(codeLabel);
    await user.type(box, `${line.slice(0, 3)}x${line.slice(3)}`);
    expect(box.value).toBe(shown);
  });

  it("BIL-010 changes the mask with the first digit, while digits are typed over others", async () => {
    show();
    const box = await field(codeLabel);
    for (const { line, shown } of [sicoob, energy, sicoob]) {
      await user.clear(box);
      await user.type(box, line);
      expect(box.value).toBe(shown);
      box.setSelectionRange(0, 1);
      await user.keyboard(line.startsWith("8") ? "3" : "8");
      const digits = box.value.replace(/\D/g, "");
      expect(box.value.indexOf(digits.startsWith("8") ? "-" : ".")).toBe(digits.startsWith("8") ? 11 : 5);
    }
  });

  it("BIL-010 a scanner types the barcode and Enter: the line shows, and the focus moves to the next missing field", async () => {
    show();
    const box = await field(codeLabel);
    await user.type(box, `${sicoob.barcode}{Enter}`);
    expect(box.value).toBe(sicoob.shown);
    expect(document.activeElement).toBe(await field("Descrição"));
    expect((await field("Valor")).value).toBe("R$ 150,00");
    expect(fakeServer.calls(addBoleto)).toHaveLength(0);
  });

  it("BIL-016 BIL-019 the code fills value, due date and bank; its value cannot be edited", async () => {
    show();
    expect((await field("Valor")).readOnly).toBe(true);
    await paste(codeLabel, sicoob.line);
    const value = await field("Valor");
    expect(value.value).toBe("R$ 150,00");
    expect(value.readOnly).toBe(true);
    expect((await field("Vencimento")).value).toBe("15/02/2027");
    await screen.findByText(/^756 · /);
    // The form shows the bare code of an unknown bank.
    fakeServer.on(readBankByCode, () => refuse("not_found"));
    await paste(codeLabel, open);
    await screen.findByText("Banco 260");
    fakeServer.on(readBankByCode, ({ params }) => {
      expect(params["code"]).toBe("341");
      return { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
    });
    await paste(codeLabel, overdue);
    await screen.findByText("341 · Itaú Unibanco");
  });

  it("BIL-016 BIL-020 a code without value lets the person enter it; one without due date shows 00/00/0000", async () => {
    show();
    await paste(codeLabel, open);
    const value = await field("Valor");
    expect(value.readOnly).toBe(false);
    await user.type(value, "89,90");
    await paste(codeLabel, energy.line);
    expect(value.readOnly).toBe(true);
    expect(value.value).toBe("R$ 123,45");
    expect((await field("Vencimento")).value).toBe("00/00/0000");
    await screen.findByText("Concessionária ou tributo");
  });

  it("BIL-016 shows and saves the register's amount for a code without value, and accepts no other", async () => {
    registerAsks(89_90);
    show();
    await paste(codeLabel, open);
    await screen.findByText(
      "É o que o registro do boleto pede no dia do pagamento. O código não traz valor.",
    );
    const value = await field("Valor");
    expect([value.value, value.readOnly]).toEqual(["R$ 89,90", true]);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Boleto incluído com sucesso");
    expect(fakeServer.calls(addBoleto).map(({ body }) => body)).toMatchObject([{ value: 89_90 }]);
  });

  it("BIL-016 lets the person choose the amount of a boleto that is registered without value", async () => {
    registerAsks(0);
    show();
    await paste(codeLabel, open);
    await screen.findByText("Imobiliária Vista Alegre Ltda · 11.222.333/0001-81");
    const value = await field("Valor");
    expect(value.readOnly).toBe(false);
    await user.type(value, "12,34");
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Boleto incluído com sucesso");
    expect(fakeServer.calls(addBoleto).map(({ body }) => body)).toMatchObject([{ value: 12_34 }]);
  });

  it("BIL-017 another code overwrites value and due date", async () => {
    show();
    await paste(codeLabel, sicoob.line);
    await paste(codeLabel, open);
    expect((await field("Valor")).value).toBe("");
    expect((await field("Vencimento")).value).toBe("10/12/2026");
  });

  it("BIL-010 BIL-015 BIL-016 refuses, explains each mistake in words and moves the focus to the summary", async () => {
    show();
    await field(codeLabel);
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Há dados inválidos no boleto");
    const summary = screen.getByText("Corrija antes de continuar:").parentElement as HTMLElement;
    expect(document.activeElement).toBe(summary);
    within(summary).getByText(`${codeLabel}: A linha digitável do boleto está incorreta, insira novamente`);
    within(summary).getByText("Valor: Valor inválido");
    within(summary).getByText("Descrição: O campo não pode ser vazio");
    expect(fakeServer.calls(addBoleto)).toHaveLength(0);
  });

  it("BIL-011 shows a wrong digit as soon as the last one is typed", async () => {
    show();
    await paste(codeLabel, `${sicoob.line.slice(0, 9)}9${sicoob.line.slice(10)}`);
    await screen.findByText("A linha digitável do boleto está incorreta, insira novamente");
  });

  it("BIL-012 shows an overdue boleto at once, and does not save it", async () => {
    show();
    await paste(codeLabel, overdue);
    await screen.findByText("Este boleto venceu em 22/02/2025");
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Há dados inválidos no boleto");
    expect(fakeServer.calls(addBoleto)).toHaveLength(0);
  });

  it("BIL-013 shows a duplicate boleto while its code is typed, and does not save it", async () => {
    const other = { id: "0197a000-0000-7000-8000-0000000000aa", name: "Contas de novembro" };
    fakeServer.on(readDuplicatedBoleto, () => ({ isDuplicated: true, batch: other }));
    show();
    await user.type(await field(codeLabel), sicoob.line);
    await screen.findByText("Este boleto já foi cadastrado.");
    const link = screen.getByRole("link", { name: "Contas de novembro" });
    expect(link.getAttribute("href")).toBe(`/pagamentos/lotes?lote=${other.id}`);
    const [asked] = fakeServer.calls(readDuplicatedBoleto);
    expect(asked?.query).toEqual({ id: expect.any(String), barcode: sicoob.barcode });
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Há dados inválidos no boleto");
    expect(fakeServer.calls(addBoleto)).toHaveLength(0);
  });
});
