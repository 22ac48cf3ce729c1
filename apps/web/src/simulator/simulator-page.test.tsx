import {
  announceInvoice,
  answerClaim,
  changeRails,
  listSimulatedInvoices,
  moveClock,
  raiseClaim,
  readSimulator,
  runPending,
  startOver,
} from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { answer, claim, invoice, mail, open, panel, rails } from "../testing/simulator.tsx";
import { emailForFrame } from "./email-for-frame.ts";

beforeEach(() => answer());

describe("Simulador", () => {
  it("needs no login, and sends no token", async () => {
    open();
    await panel("Relógio");
    expect(fakeServer.calls(readSimulator)[0]?.headers.get("authorization")).toBeNull();
  });

  it("shows the clock of São Paulo and moves it", async () => {
    const user = userEvent.setup();
    fakeServer.on(moveClock, () => ({ now: "2026-11-23T11:00:00.000Z" }));
    open();
    const clock = await panel("Relógio");
    clock.getByText(/^16:31:/);
    clock.getByText(/quinta-feira, 19\/11\/2026 · dia útil/);
    clock.getByText("adiantado");
    for (const name of ["Próximo dia útil, 8h", "Ir para as 16:31", "Avançar 1 hora"]) {
      const button = clock.getByRole<HTMLButtonElement>("button", { name });
      await waitFor(() => expect(button.disabled).toBe(false));
      await user.click(button);
    }
    await waitFor(() =>
      expect(fakeServer.calls(moveClock).map(({ body }) => body)).toEqual([
        { to: "next_business_day" },
        { time: "16:31" },
        { advance_ms: 3_600_000 },
      ]),
    );
  });

  it("offers no way back, and explains what leads to the real time", async () => {
    open();
    const clock = await panel("Relógio");
    clock.getByText(/Só anda para a frente.*Só Recomeçar, que apaga tudo, volta à hora real\./);
    expect(clock.queryByRole("button", { name: /voltar|hora real/i })).toBeNull();
  });

  it("acts for the other institutions of the Pix directory, and shows the messages to phones", async () => {
    const user = userEvent.setup();
    fakeServer.on(raiseClaim, () => ({ id: claim.id }));
    fakeServer.on(answerClaim, () => ({ ok: true as const }));
    open();
    const box = await panel("Diretório do Pix");
    await box.findByText("123456 é o código");
    const press = async (name: string) => {
      const button = box.getByRole<HTMLButtonElement>("button", { name });
      await waitFor(() => expect(button.disabled).toBe(false));
      await user.click(button);
    };
    for (const name of ["Pedir portabilidade", "Reivindicar", "Conceder", "Negar"]) await press(name);
    await waitFor(() => expect(fakeServer.calls(answerClaim)).toHaveLength(2));
    expect(fakeServer.calls(raiseClaim).map(({ body }) => body)).toEqual([
      { key: "+5511984215570", kind: "PORTABILITY" },
      { key: "+5511984215570", kind: "CLAIM" },
    ]);
    expect(fakeServer.calls(answerClaim).map(({ body }) => body)).toEqual([
      { answer: "grant" },
      { answer: "cancel" },
    ]);
  });

  it("delivers what the network still holds", async () => {
    const user = userEvent.setup();
    fakeServer.on(runPending, () => ({ delivered: 3 }));
    open();
    await user.click((await panel("Relógio")).getByRole("button", { name: "Entregar agora" }));
    await screen.findByText("3 avisos entregues pela rede.");
  });

  it("moves to the day on which the last month is charged", async () => {
    const user = userEvent.setup();
    fakeServer.on(moveClock, () => ({ now: "2026-12-01T11:00:00.000Z" }));
    open();
    await user.click((await panel("Relógio")).getByRole("button", { name: "Próximo mês, dia 1º às 8h" }));
    await waitFor(() =>
      expect(fakeServer.calls(moveClock)[0]?.body).toEqual({ instant: "2026-12-01T11:00:00.000Z" }),
    );
  });

  it("shows the state of an invoice, and offers only the next possible ones", async () => {
    const user = userEvent.setup();
    fakeServer.on(announceInvoice, () => ({ ok: true as const }));
    open();
    const invoices = await panel("Faturas");
    await invoices.findByText("Em atraso");
    for (const name of ["Emitir documentos", "Pagar", "Protestar"])
      await user.click(invoices.getByRole("button", { name: `${name}: 10/2026 de Aurora Papelaria` }));
    await waitFor(() =>
      expect(fakeServer.calls(announceInvoice).map(({ body }) => body)).toEqual([
        { kind: "issued" },
        { kind: "paid" },
        { kind: "protested" },
      ]),
    );
    fakeServer.on(listSimulatedInvoices, () => ({
      data: [{ ...invoice, status: "paid" as const, is_issued: true }],
    }));
    await invoices.findByText("Paga", {}, { timeout: 4_000 });
    expect(invoices.queryByRole("button")).toBeNull();
  });

  it("sends a Pix from outside, of the company's missing amount by default", async () => {
    const user = userEvent.setup();
    fakeServer.on(depositPix, () => ({ end_to_end_id: "E1" }));
    open();
    await user.click((await panel("Empresas")).getByRole("button", { name: "Enviar Pix" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Enviar Pix para Aurora Papelaria" }));
    await user.type(dialog.getByLabelText("Quem paga"), "Nova Era");
    await user.click(dialog.getByRole("button", { name: "Enviar Pix" }));
    await screen.findByText("Pix de R$ 12.340,55 enviado para Aurora Papelaria.");
    expect(fakeServer.calls(depositPix)[0]?.body).toEqual({
      pix_key: "27418639000148",
      value: 1_234_055,
      payer_name: "Nova Era",
    });
  });

  it("shows why a Pix was refused, and keeps what was typed", async () => {
    const user = userEvent.setup();
    fakeServer.on(depositPix, () => refuse("not_found"));
    open();
    await user.click((await panel("Empresas")).getByRole("button", { name: "Enviar Pix" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Enviar Pix" }));
    await screen.findByText(/Não encontramos o que você procura/);
    dialog.getByLabelText("Quem paga");
  });

  it("changes only the typed settings of the network, and refuses text that is no number", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeRails, () => ({ ...rails, failure_percent: 12.5 }));
    open();
    const network = await panel("Rede de pagamentos");
    const failures = network.getByLabelText<HTMLInputElement>("Falhas (%)");
    expect(network.getByLabelText<HTMLInputElement>("Avisos repetidos (%)").value).toBe("0,5");
    await user.clear(failures);
    await user.type(failures, "120");
    await user.click(network.getByRole("button", { name: "Ajustar rede" }));
    network.getByText("Um número de 0 a 100");
    expect(fakeServer.calls(changeRails)).toHaveLength(0);
    await user.clear(failures);
    await user.type(failures, "12,5{Enter}");
    await screen.findByText("Rede ajustada.");
    expect(fakeServer.calls(changeRails)[0]?.body).toEqual({ failure_percent: 12.5 });
  });

  it("finds magic values without regard to accents", async () => {
    const user = userEvent.setup();
    open();
    const magic = await panel("Valores mágicos");
    await user.type(magic.getByRole("searchbox"), "nao encontrada{Enter}");
    await waitFor(() => expect(magic.queryByText("chave.pix02@exemplo.com.br")).toBeNull());
    magic.getByRole("button", { name: "Copiar 784.933.530-94" });
  });

  it("starts over only after a confirmation", async () => {
    const user = userEvent.setup();
    fakeServer.on(startOver, () => ({ ok: true as const }));
    open();
    await user.click(await screen.findByRole("button", { name: "Recomeçar" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Apagar tudo e recomeçar?" }));
    expect(fakeServer.calls(startOver)).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: "Apagar e recomeçar" }));
    await screen.findByText(/Tudo de novo/);
    expect(fakeServer.calls(startOver)).toHaveLength(1);
  });

  it("shows an e-mail in a closed frame: no script may run in it", async () => {
    answer({ mails: [mail] });
    open();
    const frame = (await screen.findByTitle("E-mail: Lote pago")) as HTMLIFrameElement;
    screen.getByText(/Respostas para fin@aurora\.example · Anexo: Comprovante\.pdf$/);
    expect(frame.getAttribute("sandbox")).not.toContain("allow-scripts");
    expect(frame.getAttribute("sandbox")).not.toContain("allow-same-origin");
  });

  it("prepares an e-mail: styles with the page's nonce, links that leave the frame, no scripts", () => {
    const shown = emailForFrame(mail.html, "abc");
    expect(shown).toContain(`<style nonce="abc">`);
    expect(shown).toContain(`target="_blank"`);
    expect(shown).not.toContain("<script");
  });
});
