/** Opens the simulator for its tests, with the fake server's answers. */
import type { CompanyOptions } from "@malote/contracts/installation";
import { readBrand } from "@malote/contracts/session";
import { listDirectory, listMails, listSimulatedInvoices, readSimulator } from "@malote/contracts/simulator";
import { readInstallation } from "@malote/contracts/simulator-installation";
import { listSimulatedInfractions, listSimulatedPayins } from "@malote/contracts/simulator-payins";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { createQueryClient } from "../shell/query-client.ts";
import { SimulatorPage } from "../simulator/simulator-page.tsx";
import { MaloteTheme } from "../ui/theme.tsx";
import { fakeServer } from "./fake-server.ts";

export const rails = { pix_latency_ms: 800, failure_percent: 0, timeout_percent: 0, duplicate_percent: 0.5 };

export const mail = {
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

export const invoice = {
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

export const company = { id: "0198f000-0000-7000-8000-0000000000a1", name: "Aurora Papelaria" };

export const claim = { id: "0198f000-0000-7000-8000-0000000000d1", kind: "CLAIM" as const };

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

export const options: CompanyOptions = {
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

export const otherId = "0198f000-0000-7000-8000-0000000000a2";

export const openNotice = {
  id: "0198f000-0000-7000-8000-0000000000f1",
  kind: "incident" as const,
  name: "Pix lento",
  link: "https://s.example",
  starts_at: "2026-11-19T19:00:00.000Z",
  ends_at: null,
};

export function answer(given: { mails?: (typeof mail)[] } = {}): void {
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

export function open() {
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <MaloteTheme>
        <SimulatorPage />
      </MaloteTheme>
    </QueryClientProvider>,
  );
}

export const panel = async (name: string) => within(await screen.findByRole("region", { name }));
