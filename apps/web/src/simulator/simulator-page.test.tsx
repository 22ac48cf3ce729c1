import type { CompanyOptions } from "@malote/contracts/installation";
import { readBrand } from "@malote/contracts/session";
import {
  announceInvoice,
  answerClaim,
  changeRails,
  listDirectory,
  listMails,
  listSimulatedInvoices,
  moveClock,
  raiseClaim,
  readSimulator,
  runPending,
  startOver,
} from "@malote/contracts/simulator";
import {
  announceNotice,
  changeOptions,
  endNotice,
  readInstallation,
  showNotices,
} from "@malote/contracts/simulator-installation";
import {
  announceInfraction,
  depositPix,
  endPixBlock,
  listSimulatedInfractions,
  listSimulatedPayins,
  reportInfraction,
} from "@malote/contracts/simulator-payins";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { createQueryClient } from "../shell/query-client.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { MaloteTheme } from "../ui/theme.tsx";
import { emailForFrame } from "./email-for-frame.ts";
import { SimulatorPage } from "./simulator-page.tsx";

const rails = { pix_latency_ms: 800, failure_percent: 0, timeout_percent: 0, duplicate_percent: 0.5 };
const mail = {
  id: "0198f000-0000-7000-8000-0000000000f1",
  to: "helena@aurora.example",
  subject: "Lote pago",
  text: "O lote foi pago.",
  html: `<style>p{color:red}</style><p>Pago</p><a href="https://exemplo.com.br">Abrir</a><script>alert(1)</script>`,
  sent_at: "2026-11-20T19:42:00.000Z",
  brand: "malote",
  reply_to: "fin@aurora.example",
  attachment_name: "Comprovante.pdf",
};

const invoice = {
  id: "0198f000-0000-7000-8000-0000000000b1",
  company: { id: "0198f000-0000-7000-8000-0000000000a1", name: "Aurora Papelaria" },
  billing_period_start: "2026-10-01",
  amount_of_transfers: 1_240,
  total: 607_60,
  status: "overdue" as const,
  due_date: "2026-11-10",
  is_issued: false,
};

const contested = {
  received: [
    {
      end_to_end_id: "E88888801202611201530abcdef00001",
      company: "Aurora Papelaria",
      payer_name: "Mariana Teles Prado",
      value: 150_00,
      received_at: "2026-11-20T15:30:00.000Z",
    },
  ],
  reported: [
    {
      id: "i1",
      end_to_end_id: "E88888801202611201530abcdef00001",
      reported_at: "2026-11-20T15:40:00.000Z",
      last_event: "reported" as const,
      answer: { analysis: "rejected", description: "Entregue", file_name: null },
    },
  ],
};

const company = { id: "0198f000-0000-7000-8000-0000000000a1", name: "Aurora Papelaria" };
const claim = { id: "0198f000-0000-7000-8000-0000000000d1", kind: "CLAIM" as const };
const directory = {
  keys: [
    {
      key: "+5511984215570",
      key_type: "TELEFONE" as const,
      company,
      may_ask: ["PORTABILITY" as const, "CLAIM" as const],
      claim: null,
    },
    {
      key: "+5511984215571",
      key_type: "TELEFONE" as const,
      company,
      may_ask: [],
      claim: { ...claim, is_ours: true },
    },
  ],
  texts: [
    {
      id: "0198f000-0000-7000-8000-0000000000e1",
      to: "+5511984215570",
      words: "123456 é o código",
      sent_at: "2026-11-20T19:42:00.000Z",
    },
  ],
};

const options: CompanyOptions = {
  blocked: false,
  accepted_contract: true,
  permissions: ["all"],
  feature_flags: [],
  payment_price: null,
  validationAccount: false,
  hasIntegrationId: true,
  blockWithdrawForOperator: false,
  showFinanceInfo: true,
  hasBoletoCharge: true,
  hasCardCharge: false,
  uses_basic_validation: true,
  uses_micro_deposit: false,
  hasApiAccess: true,
  apiAccessToken: null,
  publicEntityNeedsCaixa: true,
  requiresTwoFactor: false,
};
const otherId = "0198f000-0000-7000-8000-0000000000a2";
const openNotice = {
  id: "0198f000-0000-7000-8000-0000000000f1",
  kind: "incident" as const,
  name: "Pix lento",
  link: "https://s.example",
  starts_at: "2026-11-19T19:00:00.000Z",
  ends_at: null,
};

function answer(given: { mails?: (typeof mail)[] } = {}): void {
  fakeServer.on(readInstallation, () => ({
    companies: [
      { ...company, options },
      { id: otherId, name: "Horizonte", options: { ...options, blocked: true } },
    ],
    shows_notices: false,
    notices: [openNotice],
  }));
  fakeServer.on(listSimulatedInvoices, () => ({ data: [invoice] }));
  fakeServer.on(listDirectory, () => directory);
  fakeServer.on(listSimulatedPayins, () => ({ charges: [], received_pix: [] }));
  fakeServer.on(listSimulatedInfractions, () => contested);
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
  }));
  fakeServer.on(readSimulator, () => ({
    now: "2026-11-19T19:31:00.000Z",
    clock_moved: true,
    rails,
    companies: [
      {
        id: "0198f000-0000-7000-8000-0000000000a1",
        name: "Aurora Papelaria",
        cpf_cnpj: "27418639000148",
        balance: 4_821_037,
        waiting_value: 1_234_055,
        pix_key: "27418639000148",
      },
    ],
    users: [
      { email: "helena@aurora.example", password: "senha", profile: "admin", company: "Aurora Papelaria" },
    ],
    in_flight: 3,
    magic_values: [
      { value: "784.933.530-94", kind: "CPF do recebedor", outcome: "Conta não encontrada." },
      { value: "chave.pix02@exemplo.com.br", kind: "Chave e-mail", outcome: "Conta bloqueada." },
    ],
  }));
  fakeServer.on(listMails, () => ({ data: given.mails ?? [] }));
}

function open() {
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <MaloteTheme>
        <SimulatorPage />
      </MaloteTheme>
    </QueryClientProvider>,
  );
}
const panel = async (name: string) => within(await screen.findByRole("region", { name }));

beforeEach(() => answer());

describe("Simulador", () => {
  it("needs no login, and sends none", async () => {
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

  it("offers no way back, and says what leads to the real time", async () => {
    open();
    const clock = await panel("Relógio");
    clock.getByText(/Só anda para a frente.*Só Recomeçar, que apaga tudo, volta à hora real\./);
    expect(clock.queryByRole("button", { name: /voltar|hora real/i })).toBeNull();
  });

  it("speaks for the other institutions of the Pix directory, and shows what phones were sent", async () => {
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

  it("says what became of an invoice, and offers only what can have become of it", async () => {
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

  it("sends a Pix from outside, of what the company lacks unless said otherwise", async () => {
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

  it("says why a Pix was refused, and keeps what was typed", async () => {
    const user = userEvent.setup();
    fakeServer.on(depositPix, () => refuse("not_found"));
    open();
    await user.click((await panel("Empresas")).getByRole("button", { name: "Enviar Pix" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Enviar Pix" }));
    await screen.findByText(/Não encontramos o que você procura/);
    dialog.getByLabelText("Quem paga");
  });

  it("adjusts only what was typed of the network, and refuses what is no number", async () => {
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

  it("starts over only after it was confirmed", async () => {
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

it("PAY-024 ends the analysis of a blocked Pix in each of its three ways", async () => {
  const user = userEvent.setup();
  const pix = { company_id: invoice.company.id, end_to_end_id: "E1" };
  answer();
  fakeServer.on(listSimulatedPayins, () => ({
    charges: [],
    received_pix: [
      {
        company: { id: pix.company_id, name: "Aurora Papelaria" },
        end_to_end_id: pix.end_to_end_id,
        amount: 150_00,
        payer_name: "Bruno Sales",
        is_blocked: true,
        was_blocked: true,
      },
    ],
  }));
  fakeServer.on(endPixBlock, () => ({ ok: true as const }));
  open();
  for (const [name, outcome] of [
    ["Liberar o Pix de Bruno Sales", "released"],
    ["Devolver o Pix de Bruno Sales", "returned"],
    ["Manter bloqueado o Pix de Bruno Sales", "kept"],
  ] as const) {
    await user.click(await screen.findByRole("button", { name }));
    await waitFor(() => expect(fakeServer.calls(endPixBlock).at(-1)?.body).toEqual({ ...pix, outcome }));
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name }).disabled).toBe(false));
  }
});

it("contests a Pix that was received, and gives the opinion", async () => {
  fakeServer.on(reportInfraction, () => ({ id: "i2" }));
  fakeServer.on(announceInfraction, () => ({ ok: true as const }));
  answer();
  open();
  const infractions = await panel("Infrações (MED)");
  await infractions.findByText("Reprovada · Entregue");
  await userEvent.type(infractions.getByLabelText("O que o pagador disse"), "Fui enganado");
  await userEvent.click(infractions.getByRole("button", { name: "Contestar Pix" }));
  await screen.findByText("Pix contestado.");
  expect(fakeServer.calls(reportInfraction)[0]?.body).toEqual({
    end_to_end_id: "E88888801202611201530abcdef00001",
    situation_type: "scam",
    description: "Fui enganado",
  });
  await userEvent.click(infractions.getByRole("button", { name: /^Improcedente: infração/ }));
  await waitFor(() => expect(fakeServer.calls(announceInfraction)[0]?.body).toEqual({ kind: "disagreed" }));
});

it("sets a company's options and permissions, and announces notices", async () => {
  const user = userEvent.setup();
  const changed: string[] = [];
  const ended: string[] = [];
  fakeServer.on(changeOptions, ({ params }) => {
    changed.push(params.id ?? "");
    return options;
  });
  fakeServer.on(showNotices, () => ({ ok: true as const }));
  fakeServer.on(announceNotice, () => openNotice);
  fakeServer.on(endNotice, ({ params }) => {
    ended.push(params.id ?? "");
    return { ok: true as const };
  });
  open();
  const installation = await panel("Instalação");
  const on = (name: string) => installation.findByRole<HTMLInputElement>("switch", { name });
  expect((await on("Empresa bloqueada")).checked).toBe(false);
  await user.click(await on("Empresa bloqueada"));
  await user.click(installation.getByText("Permissões"));
  expect((await on("Pagar por Pix")).checked).toBe(true);
  await user.click(await on("Pagar por Pix"));
  await user.click(installation.getByRole("button", { name: "Horizonte" }));
  expect((await on("Empresa bloqueada")).checked).toBe(true);
  await user.click(await on("Empresa bloqueada"));
  const sent = fakeServer.calls(changeOptions);
  expect(changed).toEqual([company.id, company.id, otherId]);
  expect(sent[0]?.body).toEqual({ blocked: true });
  const { permissions = [] } = (sent[1]?.body ?? {}) as Partial<CompanyOptions>;
  expect(permissions).toHaveLength(25);
  expect(permissions).not.toContain("payout_pix");
  expect(sent[2]?.body).toEqual({ blocked: false });

  await user.click(await on("Mostrar no sandbox os avisos de incidente e manutenção"));
  await user.click(installation.getByRole("button", { name: "Publicar incidente" }));
  installation.getByText("Escreva o texto do aviso");
  expect(fakeServer.calls(announceNotice)).toHaveLength(0);
  await user.type(installation.getByLabelText("Texto do aviso"), "Manutenção do banco");
  await user.click(installation.getByRole("button", { name: "Publicar manutenção" }));
  await screen.findByText("Aviso publicado.");
  expect(fakeServer.calls(announceNotice)[0]?.body).toMatchObject({
    kind: "maintenance",
    name: "Manutenção do banco",
  });
  await user.click(installation.getByRole("button", { name: "Encerrar" }));
  await waitFor(() => expect(ended).toEqual([openNotice.id]));
  expect(fakeServer.calls(showNotices)[0]?.body).toEqual({ shows: true });
});
