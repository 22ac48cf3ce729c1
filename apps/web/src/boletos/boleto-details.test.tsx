/** Card and details of a boleto, its receipts and its cancelled schedule. */
import { listBoletosWithReceipt } from "@malote/contracts/batches";
import { type Boleto, removeBoleto } from "@malote/contracts/boletos";
import { createCheckpoint } from "@malote/contracts/company";
import { downloadBankReceipt, downloadReceipt, requestReceipts } from "@malote/contracts/receipts";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { analyst, batchOfBoletos, button, dialog, operator, user } from "../testing/boletos-of-a-batch.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildBoleto, testId } from "../testing/payments.ts";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { boletoLooks, failReason } from "./boleto-status.ts";

const { served, show, change } = batchOfBoletos();

describe("a boleto's card", () => {
  it.each([
    ["CREATED", "Criado", "grey"],
    ["SCHEDULED", "Agendado", "green"],
    ["PAID", "Pago", "blue"],
    ["FINISHED", "Pago", "blue"],
    ["FAILED", "Falha", "red"],
    ["RETURNED", "Devolvido", "yellow"],
    ["EM_REMESSA", "Em processamento", "green"],
    ["EXECUTING", "Em processamento", "green"],
    ["FAILED_INTERNAL", "Em processamento", "green"],
  ] as const)("BIL-004 calls %s '%s', in %s", async (status, name, color) => {
    expect(boletoLooks[status]).toMatchObject({ name, color });
    served.desk.boletos = [buildBoleto({ status })];
    change({ status: "RECEIVED" });
    show();
    const row = (await button("Aluguel de novembro")).closest("li") as HTMLElement;
    expect(within(row).getByText(name).closest("[data-color]")?.getAttribute("data-color")).toBe(color);
  });

  it("BIL-006 shows why a boleto failed or came back, without tags, and no reason for any other", () => {
    const status_description = "<p>Boleto <b>baixado</b></p>";
    const reasonIn = (status: Boleto["status"]) => failReason({ status, status_description });
    expect(reasonIn("FAILED")).toBe("Boleto baixado");
    expect(reasonIn("RETURNED")).toBe("Boleto baixado");
    const others = Object.keys(boletoLooks).filter((status) => !["FAILED", "RETURNED"].includes(status));
    expect(others).toHaveLength(7);
    for (const status of others as Boleto["status"][])
      expect([status, reasonIn(status)]).toEqual([status, null]);
    expect(failReason({ status: "FAILED", status_description: "valor < 10 e prazo > 5" })).toBe(
      "valor < 10 e prazo > 5",
    );
    expect(failReason({ status: "FAILED", status_description: '<P CLASS="x">Boleto<BR/>baixado</P>' })).toBe(
      "Boleto baixado",
    );
  });

  it("BIL-025 cuts the description at 45 characters on cards and at 125 in details", async () => {
    served.desk.boletos = [buildBoleto({ description: "d".repeat(200) })];
    change({ status: "FINISHED" });
    const app = show();
    await screen.findByText(`${"d".repeat(45)}…`);
    app.unmount();
    show(`&pagamento=${served.desk.boletos[0]?.id}`);
    await screen.findByText(`${"d".repeat(125)}…`);
  });
});

describe("the details", () => {
  async function details(given: Partial<Boleto>, options = {}) {
    served.desk.boletos = [buildBoleto(given)];
    show(`&pagamento=${served.desk.boletos[0]?.id}`, options);
    await screen.findByText("Identificador");
    return dialog("Detalhes do boleto");
  }
  beforeEach(() => change({ status: "RECEIVED" }));

  it("BIL-024 BAT-040 show the facts of the boleto", async () => {
    const shown = await details({
      status: "FAILED",
      status_description: "Boleto baixado",
      scheduled_for: "2026-11-23",
      paid_date: "2026-11-23T15:30:00.000Z",
      integration_id: "NF-1",
    });
    shown.getByText(/^R\$\s150,00$/);
    expect(shown.getByText("Falha").closest("[data-color]")?.getAttribute("data-color")).toBe("red");
    shown.getByText("Aluguel de novembro");
    shown.getByText("Motivo da falha informado pelo banco:");
    shown.getByText("Boleto baixado");
    const said = (name: string) => shown.getByText(name, { selector: "dt" }).nextElementSibling?.textContent;
    expect(said("Linha digitável")).toBe("75691.43212 01012.345672 80000.123010 4 17230000015000");
    expect(said("Banco")).toBe("756 · Sicoob");
    expect(said("Vencimento")).toBe("15/02/2027");
    expect(said("Agendado para")).toBe("23/11/2026");
    expect(said("Pago em")).toBe("23/11/2026 12:30");
    expect(said("Lote")).toBe("Contas da semana");
    expect(said("ID de integração")).toBe("NF-1");
    shown.getByRole("button", { name: "Copiar Linha digitável" });
  });

  it.each([
    ["FAILED", true],
    ["RETURNED", true],
    ["FINISHED", false],
  ] as const)("BIL-006 show for a boleto in %s why it was not paid: %s", async (status, says) => {
    const shown = await details({ status, status_description: "<p>Boleto <b>baixado</b></p>" });
    expect(shown.queryByText("Motivo da falha informado pelo banco:") !== null).toBe(says);
    expect(shown.queryByText("Boleto baixado") !== null).toBe(says);
    // The card behind the details shows the reason as well.
    await waitFor(() => expect(screen.queryAllByText("Boleto baixado")).toHaveLength(says ? 2 : 0));
    expect(shown.queryByText(/<b>/)).toBeNull();
  });

  it("FST-024 record that a payment was opened", async () => {
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
    await details({ status: "FINISHED" });
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_OPENED_PAYMENT" },
    ]);
  });

  it("BIL-018 BIL-020 show a missing due date as 00/00/0000, as the card does, and 'Hoje' without a date", async () => {
    const shown = await details({ due_date: null });
    const said = (name: string) => shown.getByText(name, { selector: "dt" }).nextElementSibling?.textContent;
    expect([said("Vencimento"), said("Agendado para")]).toEqual(["00/00/0000", "Hoje"]);
    screen.getByText(/vence 00\/00\/0000$/);
  });

  it.each(["FAILED", "RETURNED"] as const)(
    "BIL-020 show a missing due date as 00/00/0000, as the card does, in %s",
    async (status) => {
      const shown = await details({ due_date: null, status });
      shown.getByText("00/00/0000");
      screen.getByText("Vence 00/00/0000");
    },
  );

  const bank_receipt_url = "/api/payments/app/transfer/x/bankReceipt";
  const receipt_url = "/api/payments/app/transfer/x/receipt";

  it.each(["PAID", "FINISHED"] as const)(
    "BIL-024 BIL-027 FST-024 offer the available receipts, in %s",
    async (status) => {
      const shown = await details({ status, bank_receipt_url, receipt_url });
      shown.getByRole("button", { name: "Baixar comprovante" });
      const saved = watchSavedFiles();
      let asked: string | undefined;
      fakeServer.on(downloadBankReceipt, ({ params }) => {
        asked = params["id"];
        return {};
      });
      await user.click(shown.getByRole("button", { name: "Comprovante do banco" }));
      await waitFor(() => expect(saved).toEqual(["comprovante-do-banco-aluguel-de-novembro.pdf"]));
      await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_RECEIPTS"));
      expect(asked).toBe(served.desk.boletos?.[0]?.id);
    },
  );

  it.each([
    ["there is none", { status: "PAID" }],
    ["it was not paid", { status: "RETURNED", bank_receipt_url, receipt_url }],
    ["it failed", { status: "FAILED", bank_receipt_url, receipt_url }],
    ...(["CREATED", "SCHEDULED", "EM_REMESSA", "EXECUTING", "FAILED_INTERNAL"] as const).map(
      (status) => [`it is ${status}`, { status, bank_receipt_url, receipt_url }] as const,
    ),
  ] as const)("BIL-027 offer no receipt when %s", async (_case, given) => {
    const shown = await details(given);
    expect(shown.queryByRole("button", { name: "Baixar comprovante" })).toBeNull();
    expect(shown.queryByRole("button", { name: "Comprovante do banco" })).toBeNull();
  });

  it("BIL-027 FST-024 save the receipt of this boleto, under its name", async () => {
    const saved = watchSavedFiles();
    let asked: string | undefined;
    fakeServer.on(downloadReceipt, ({ params }) => {
      asked = params["id"];
      return {};
    });
    const shown = await details({ status: "PAID", receipt_url });
    await user.click(shown.getByRole("button", { name: "Baixar comprovante" }));
    await waitFor(() => expect(saved).toEqual(["comprovante-aluguel-de-novembro.pdf"]));
    await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_RECEIPTS"));
    expect(asked).toBe(served.desk.boletos?.[0]?.id);
  });

  describe("of a scheduled boleto", () => {
    const scheduled = { status: "SCHEDULED", scheduled_for: "2026-11-30", can_cancel: true } as const;

    it("BAT-062 BIL-028 BIL-029 offer to cancel it after a question, once, and show the result", async () => {
      fakeServer.on(removeBoleto, () => {
        served.desk.boletos =
          served.desk.boletos?.map((one) => ({ ...one, status: "RETURNED", can_cancel: false })) ?? [];
        return { ok: true as const };
      });
      const shown = await details(scheduled, operator);
      expect(shown.queryByRole("button", { name: /Corrigir|Salvar|Excluir/ })).toBeNull();
      await user.click(shown.getByRole("button", { name: "Cancelar agendamento" }));
      const question = await dialog("Cancelar agendamento");
      question.getByText("Aluguel de novembro");
      question.getByText(/agendado para 30\/11\/2026/);
      const confirm = question.getByRole("button", { name: "Cancelar agendamento" });
      confirm.click();
      confirm.click();
      await screen.findByText("Agendamento cancelado com sucesso!");
      expect(fakeServer.calls(removeBoleto).map(({ params }) => params)).toEqual([
        { id: served.desk.batch.id, billetId: served.desk.boletos?.[0]?.id },
      ]);
      await shown.findByText("Devolvido");
      expect(shown.queryByRole("button", { name: "Cancelar agendamento" })).toBeNull();
    });

    it.each([
      ["by an analyst", { can_cancel: true }, analyst],
      ["once its day has come", { can_cancel: false }, {}],
    ] as const)("BIL-028 do not offer to cancel it %s", async (_case, given, options) => {
      const shown = await details({ ...scheduled, ...given }, options);
      expect(shown.queryByRole("button", { name: "Cancelar agendamento" })).toBeNull();
    });

    it("BIL-029 show the message of a code", async () => {
      fakeServer.on(removeBoleto, () => refuse("not_found"));
      const shown = await details(scheduled);
      await user.click(shown.getByRole("button", { name: "Cancelar agendamento" }));
      const question = await dialog("Cancelar agendamento");
      await user.click(question.getByRole("button", { name: "Cancelar agendamento" }));
      await screen.findByText(/Não encontramos/);
      expect(screen.queryByText("Agendamento cancelado com sucesso!")).toBeNull();
    });

    it("BIL-029 report a failure without a code", async () => {
      const shown = await details(scheduled);
      const before = fetch;
      vi.stubGlobal("fetch", (input: RequestInfo, init?: RequestInit) =>
        init?.method === "DELETE" ? Promise.resolve(new Response("", { status: 418 })) : before(input, init),
      );
      await user.click(shown.getByRole("button", { name: "Cancelar agendamento" }));
      const question = await dialog("Cancelar agendamento");
      await user.click(question.getByRole("button", { name: "Cancelar agendamento" }));
      await screen.findByText("Ocorreu um erro ao cancelar o boleto. Tente novamente!");
    });
  });
});

it("BAT-028 BAT-029 requests the receipts of all boletos of the batch, and reports when there are none", async () => {
  change({ status: "FINISHED", paid_count: 1 });
  let totalItems = 0;
  fakeServer.on(listBoletosWithReceipt, () => ({
    data: [],
    metadata: { pagination: { itemsPerPage: 50, totalItems } },
  }));
  fakeServer.on(requestReceipts, () => ({ id: testId(90), receipts_count: 7 }));
  show();
  const openReceipts = async () => {
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Baixar comprovantes" }));
    return dialog("Comprovantes");
  };
  const none = await openReceipts();
  await none.findByText("Nenhum comprovante disponível.");
  await user.click(none.getByRole("button", { name: "Voltar" }));
  totalItems = 7;
  const some = await openReceipts();
  await some.findByText("7 comprovantes");
  const { id } = served.desk.batch;
  expect(fakeServer.calls(listBoletosWithReceipt).map(({ params }) => params)).toEqual([{ id }, { id }]);
  await user.click(some.getByRole("button", { name: "Baixar comprovantes" }));
  await screen.findByText(/^Download iniciado com sucesso/);
  expect(fakeServer.calls(requestReceipts).map(({ body }) => body)).toEqual([
    { batch_id: served.desk.batch.id },
  ]);
});
