/** An existing transfer: deleted, opened, and after a failure corrected or returned. */
import {
  changeTransfer,
  listFailedOfReceiver,
  readTransfer,
  refundTransfer,
  removeTransfer,
} from "@malote/contracts/transfers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildTransfer } from "../testing/payments.ts";
import { button, dialog, fill, transferWizard } from "../testing/transfer-wizard.ts";

const { served, open } = transferWizard();

describe("an existing payment", () => {
  it("TRF-021 is deleted after a question", async () => {
    const user = userEvent.setup();
    const [deleted] = served.desk.transfers;
    served.desk.transfers.push(buildTransfer({ to: { name: "Ivo Reis" } }));
    fakeServer.on(removeTransfer, () => {
      served.desk.transfers = served.desk.transfers.filter(({ id }) => id !== deleted?.id);
      fakeServer.on(readTransfer, () => refuse("not_found"));
      return { ok: true as const };
    });
    open(deleted?.id ?? "");
    await dialog("Editar pagamento");
    await user.click(await button("Excluir"));
    const asked = within(await dialog("Excluir transferência"));
    expect(fakeServer.calls(removeTransfer)).toEqual([]);
    await user.click(asked.getByRole("button", { name: "Excluir transferência" }));
    await waitFor(() =>
      expect(fakeServer.calls(removeTransfer).map(({ params }) => params)).toEqual([
        { id: served.desk.batch.id, tid: deleted?.id },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Editar pagamento" })).toBeNull());
    await screen.findByText("Ivo Reis");
    await waitFor(() => expect(screen.queryByText("Marina Lopes")).toBeNull());
  });

  it("BAT-040 TRF-055 opens its details outside a draft, with every field", async () => {
    served.desk.batch = { ...served.desk.batch, status: "FINISHED" };
    served.desk.transfers = [
      buildTransfer({ status: "FINISHED", end_to_end_id: "E9999", pix_description: "Olá <b>Ana</b>" }),
    ];
    open(served.desk.transfers[0]?.id ?? "");
    await screen.findByText("E9999");
    const shown = within(await dialog("Detalhes da transferência"));
    expect(shown.getByText("Ana").tagName).toBe("B");
    shown.getByRole("button", { name: "Copiar Chave Pix" });
    shown.getByRole("button", { name: "Voltar" });
  });

  it("is polled in its details while it is pending", async () => {
    served.desk.batch = { ...served.desk.batch, status: "RECEIVED" };
    served.desk.transfers = [buildTransfer({ status: "EXECUTING" })];
    open(served.desk.transfers[0]?.id ?? "");
    await screen.findByText("Identificador");
    const shown = within(await dialog("Detalhes da transferência"));
    shown.getByText("Em processamento");
    served.desk.batch = { ...served.desk.batch, status: "FINISHED", paid_count: 1 };
    served.desk.transfers = served.desk.transfers.map((one) => ({ ...one, status: "FINISHED" }));
    await waitFor(() => shown.getByText("Transferida"), { timeout: 3_500 });
  });

  describe("after a failure", () => {
    beforeEach(() => {
      served.desk.batch = { ...served.desk.batch, status: "RECEIVED", failed_count: 1 };
      const failed = { status: "FAILED", status_description: "Conta encerrada" } as const;
      served.desk.transfers = [buildTransfer(failed), buildTransfer(failed)];
      fakeServer.on(listFailedOfReceiver, () => ({ data: served.desk.transfers }));
    });

    it("TRF-038 shows the maximum beside the fixed value, too", async () => {
      open(served.desk.transfers[0]?.id ?? "");
      await userEvent.click(await button("Corrigir pagamento"));
      const value = await screen.findByLabelText<HTMLInputElement>("Qual o valor? (máximo de R$ 1.000,00)");
      expect(value.disabled).toBe(true);
    });

    it("TRF-014 TRF-016 TRF-018 TRF-045 is corrected with the bank's reason in sight and a fixed value", async () => {
      const user = userEvent.setup();
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      const wizard = within(await dialog("Editar pagamento"));
      const layer = screen.getByRole("dialog", { name: "Editar pagamento" });
      expect(layer.getAttribute("data-place")).toBe("full");
      wizard.getByText("Motivo da falha informado pelo banco:");
      wizard.getByText("Conta encerrada");
      expect(wizard.getByLabelText<HTMLInputElement>(/Qual o valor/).disabled).toBe(true);
      await fill("Chave Pix (E-mail)", "outra@exemplo.com");
      await user.click(wizard.getByRole("button", { name: "Salvar correção" }));
      await screen.findByText("Sua transferência foi corrigida e será processada novamente!");
      expect(fakeServer.calls(changeTransfer).map(({ params, body }) => ({ params, body }))).toMatchObject([
        {
          params: { id: served.desk.batch.id, tid: served.desk.transfers[0]?.id },
          body: { value: 12_345, destination_bank_account: { pix_key: "outra@exemplo.com" } },
        },
      ]);
    });

    it("TRF-018 TRF-045 of a planned day is corrected without that day, which has passed", async () => {
      const user = userEvent.setup();
      served.desk.transfers = served.desk.transfers.map((one) => ({ ...one, payment_date: "2020-11-20" }));
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await user.click(await button("Salvar correção"));
      await screen.findByText("Sua transferência foi corrigida e será processada novamente!");
      expect(fakeServer.calls(changeTransfer).map(({ body }) => body)).toMatchObject([
        { payment_date: null },
      ]);
    });

    it("TRF-045 reports that a correction waits for another person, and not that it is processed", async () => {
      const user = userEvent.setup();
      fakeServer.on(changeTransfer, ({ params }) => ({
        ...buildTransfer({ id: params["tid"] ?? "", status: "FAILED" }),
        awaits_approval: true,
      }));
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await user.click(await button("Salvar correção"));
      await screen.findByText("Enviado para aprovação. Nada acontece antes que outra pessoa aprove.");
      expect(screen.queryByText(/será processada novamente/)).toBeNull();
    });

    it("TRF-045 is sent after its findings were confirmed by name", async () => {
      const user = userEvent.setup();
      const check = {
        kind: "changed_account",
        severity: "tick",
        title: "1 recebedor com chave diferente",
        count: 1,
        value: 123_45,
        fingerprint: "1-a",
        confirmed: null,
        findings: [],
      };
      fakeServer.on(changeTransfer, ({ params, body }) =>
        body.confirmations
          ? buildTransfer({ id: params["tid"] ?? "" })
          : refuse("checks_not_confirmed", { titles: [check.title], checks: [check] }),
      );
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await user.click(await button("Salvar correção"));
      const asked = within(await dialog("Confira antes de enviar"));
      expect(asked.getByRole("button", { name: "Enviar assim mesmo" })).toHaveProperty("disabled", true);
      await user.click(asked.getByRole("checkbox", { name: /Conferi e quero seguir/ }));
      await user.click(asked.getByRole("button", { name: "Enviar assim mesmo" }));
      await screen.findByText("Sua transferência foi corrigida e será processada novamente!");
      expect(fakeServer.calls(changeTransfer).map(({ body }) => body)).toMatchObject([
        { value: 12_345 },
        { value: 12_345, confirmations: [{ kind: "changed_account", fingerprint: "1-a" }] },
      ]);
    });

    it("is corrected once by two clicks at the same moment", async () => {
      const user = userEvent.setup();
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      const save = await button("Salvar correção");
      let isFirst = true;
      fakeServer.on(changeTransfer, ({ params }) => {
        const answer = isFirst ? buildTransfer({ id: params["tid"] ?? "" }) : refuse("transfer_not_failed");
        isFirst = false;
        return answer;
      });
      save.click();
      save.click();
      await dialog("Detalhes da transferência");
      await screen.findByText("Sua transferência foi corrigida e será processada novamente!");
      expect(fakeServer.calls(changeTransfer)).toHaveLength(1);
    });

    it.each([
      ["was corrected by a request whose answer was lost", "unavailable", "EXECUTING"],
      ["was corrected in another tab", "transfer_not_failed", "FINISHED"],
      ["was refunded by another person", "transfer_not_failed", "RETURNED"],
    ] as const)("returns from the form to the details when it %s", async (_case, code, status) => {
      const user = userEvent.setup();
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await dialog("Editar pagamento");
      await fill("Chave Pix (E-mail)", "outra@exemplo.com");
      fakeServer.on(changeTransfer, () => {
        served.desk.transfers = served.desk.transfers.map((one) => ({ ...one, status }));
        return refuse(code);
      });
      await user.click(await button("Salvar correção"));
      await dialog("Detalhes da transferência");
      await screen.findByText(/Este pagamento mudou enquanto o formulário estava aberto/);
      expect(screen.queryByRole("dialog", { name: "Editar pagamento" })).toBeNull();
      expect(sessionStorage).toHaveLength(0);
    });

    it("keeps the form and what was typed while it can still be corrected", async () => {
      const user = userEvent.setup();
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await dialog("Editar pagamento");
      await fill("Chave Pix (E-mail)", "outra@exemplo.com");
      fakeServer.on(changeTransfer, () => refuse("unavailable"));
      await user.click(await button("Salvar correção"));
      await screen.findByText(/Estamos nos recuperando/);
      fakeServer.on(changeTransfer, ({ params }) => buildTransfer({ id: params["tid"] ?? "" }));
      await user.click(await button("Salvar correção"));
      await screen.findByText("Sua transferência foi corrigida e será processada novamente!");
      const sent = { destination_bank_account: { pix_key: "outra@exemplo.com" } };
      expect(fakeServer.calls(changeTransfer).map(({ body }) => body)).toMatchObject([sent, sent]);
    });

    it("reports that its money was returned when it is refunded from the form", async () => {
      const user = userEvent.setup();
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await dialog("Editar pagamento");
      await user.click(await button("Devolver ao saldo"));
      const asked = within(await dialog("Editar dados de pagamento"));
      await asked.findByText(/Todos os 2 serão devolvidos/);
      fakeServer.on(refundTransfer, () => {
        served.desk.transfers = served.desk.transfers.map((one) => ({ ...one, status: "RETURNED" }));
        return served.desk.transfers[0] ?? buildTransfer();
      });
      await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
      await screen.findByText("Sua transferência foi devolvida!");
      expect(screen.queryByText(/Este pagamento mudou/)).toBeNull();
      await dialog("Detalhes da transferência");
    });

    it("TRF-046 TRF-047 TRF-048 announces how many are returned, and a retry repeats the same key", async () => {
      const user = userEvent.setup();
      fakeServer.on(refundTransfer, () => refuse("unavailable"));
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Devolver ao saldo"));
      const asked = within(await dialog("Editar dados de pagamento"));
      await asked.findByText(/Todos os 2 serão devolvidos/);
      const [first] = served.desk.transfers;
      const { id } = served.desk.batch;
      expect(fakeServer.calls(listFailedOfReceiver).map(({ params }) => params)).toEqual([
        { id, dbaId: first?.destination_bank_account.id },
      ]);
      await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
      await screen.findByText(/Estamos nos recuperando/);
      fakeServer.on(refundTransfer, () => buildTransfer({ status: "RETURNED" }));
      await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
      await screen.findByText("Sua transferência foi devolvida!");
      const calls = fakeServer.calls(refundTransfer);
      expect(calls.map(({ params }) => params)).toEqual([
        { id, tid: first?.id },
        { id, tid: first?.id },
      ]);
      const keys = calls.map(({ headers }) => headers.get("idempotency-key"));
      expect(keys[0]).toBe(keys[1]);
    });

    it.each([
      [1, "O pagamento com falha para Marina Lopes será devolvido, e R$ 123,45 voltam para o saldo."],
      [
        2,
        "Marina Lopes tem 2 pagamentos com falha neste lote. Todos os 2 serão devolvidos, e R$ 246,90 voltam para o saldo.",
      ],
    ])("TRF-048 announces what is returned of %i failed payments", async (count, sentence) => {
      fakeServer.on(listFailedOfReceiver, () => ({ data: served.desk.transfers.slice(0, count) }));
      open(served.desk.transfers[0]?.id ?? "");
      await userEvent.click(await button("Devolver ao saldo"));
      const asked = await dialog("Editar dados de pagamento");
      await waitFor(() =>
        expect(
          [...asked.querySelectorAll("p")].map(({ textContent }) => textContent?.replaceAll("\u00a0", " ")),
        ).toContain(sentence),
      );
    });

    it("TRF-048 returns nothing before it is known how many are returned", async () => {
      const user = userEvent.setup();
      fakeServer.on(listFailedOfReceiver, () => refuse("internal"));
      fakeServer.on(refundTransfer, () => buildTransfer({ status: "RETURNED" }));
      open(served.desk.transfers[0]?.id ?? "");
      await user.click(await button("Devolver ao saldo"));
      const asked = within(await dialog("Editar dados de pagamento"));
      await asked.findByText("Não foi possível saber quantos pagamentos serão devolvidos");
      expect(asked.queryByText(/O pagamento com falha para/)).toBeNull();
      await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
      expect(fakeServer.calls(refundTransfer)).toEqual([]);
      fakeServer.on(listFailedOfReceiver, () => ({ data: served.desk.transfers }));
      await user.click(asked.getByRole("button", { name: "Tentar de novo" }));
      await asked.findByText(/Todos os 2 serão devolvidos/);
      await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
      await screen.findByText("Sua transferência foi devolvida!");
    });

    it("is corrected and refunded by an operator when the company's controls allow it", async () => {
      open(served.desk.transfers[0]?.id ?? "", { session: { profile: "operator" } });
      await button("Devolver ao saldo");
      await button("Corrigir pagamento");
    });

    it.each([
      [true, false],
      [false, true],
    ])(
      "TRF-045 TRF-046 an operator may correct: %s, return: %s, each by its own control",
      async (operatorsMayCorrect, operatorsMayGiveBack) => {
        const settings = { operatorsMayCorrect, operatorsMayGiveBack };
        open(served.desk.transfers[0]?.id ?? "", { session: { profile: "operator" }, settings });
        await button(operatorsMayCorrect ? "Corrigir pagamento" : "Devolver ao saldo");
        expect(screen.queryByRole("button", { name: "Devolver ao saldo" }) !== null).toBe(
          operatorsMayGiveBack,
        );
        expect(screen.queryByRole("button", { name: "Corrigir pagamento" }) !== null).toBe(
          operatorsMayCorrect,
        );
        if (!operatorsMayCorrect) return;
        await userEvent.click(await button("Corrigir pagamento"));
        await button("Salvar correção");
        expect(screen.queryByRole("button", { name: "Devolver ao saldo" })).toBeNull();
      },
    );

    it("TRF-045 TRF-046 is corrected and returned by an admin, whatever the controls forbid to operators", async () => {
      const settings = { operatorsMayCorrect: false, operatorsMayGiveBack: false };
      const app = open(served.desk.transfers[0]?.id ?? "", { session: { profile: "admin" }, settings });
      await button("Corrigir pagamento");
      await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
      await button("Corrigir pagamento");
      await button("Devolver ao saldo");
    });

    it("TRF-045 TRF-046 is neither corrected nor returned by an analyst", async () => {
      const app = open(served.desk.transfers[0]?.id ?? "", { session: { profile: "analyst" } });
      await screen.findByText("Identificador");
      await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
      expect(screen.queryByRole("button", { name: "Corrigir pagamento" })).toBeNull();
      expect(screen.queryByRole("button", { name: "Devolver ao saldo" })).toBeNull();
      expect(screen.queryByText(/^Só administradores corrigem/)).toBeNull();
    });

    it("TRF-046 an operator without the right neither corrects nor refunds, and reads whom to ask", async () => {
      const settings = { operatorsMayCorrect: false, operatorsMayGiveBack: false };
      open(served.desk.transfers[0]?.id ?? "", { session: { profile: "operator" }, settings });
      await dialog("Detalhes da transferência");
      await screen.findByText("Só administradores corrigem. Peça a um administrador da sua empresa.");
      expect(screen.queryByRole("button", { name: "Devolver ao saldo" })).toBeNull();
      expect(screen.queryByRole("button", { name: "Corrigir pagamento" })).toBeNull();
    });
  });
});
