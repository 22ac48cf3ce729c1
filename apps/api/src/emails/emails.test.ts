/** A sample of every e-mail: its subject, and no brand except the reader's. */
import { expect, it } from "vitest";
import { mailBrands, renderEmail } from "../platform/mail/email-text.ts";
import { type EmailData, type EmailKind, emails, written } from "./index.ts";

const id = "01990000-0000-7000-8000-000000000001";
const at = new Date("2026-08-12T13:05:00Z");
const batch = { id, name: "Folha", payments: 2, amount: 1_234_56 };
const account = { email: "ana@exemplo.com.br", at };
const access = { by: "Helena", name: "Ana", email: "ana@exemplo.com.br" };
const limit = { by: "Helena", period: "DAILY", type: "PIX", value: 50_00 } as const;
const key = { keyType: "CNPJ", key: "11222333000181" } as const;
const credential = { by: "Helena", name: "ERP", clientId: "api_1" };
const fact = { label: "Banco", value: "Banco do Brasil" };
const link = {
  ...{ product: "Horizonte", company: "Aurora", by: "Helena", email: "ana@exemplo.com.br", days: 3 },
  url: "https://exemplo.com.br/login#senha=1",
};

const samples: { [K in EmailKind]: [subject: string, data: EmailData<K>] } = {
  batchAwaitsApproval: [
    "O lote Folha aguarda sua aprovação",
    { ...batch, sender: "Helena", checks: ["Um aviso"] },
  ],
  batchRejected: ["O lote Folha foi reprovado", { ...batch, by: "Helena", reason: "Repetido" }],
  batchApproved: ["O lote Folha foi aprovado", { ...batch, by: "Helena" }],
  batchSentBack: ["O lote Folha voltou a ser rascunho", { ...batch, reason: "Um valor mudou." }],
  paymentsFailed: [
    "3 pagamentos falharam no lote Folha",
    { id, name: "Folha", failed: 3, named: [{ name: null, value: 10_00, reason: "Conta encerrada" }] },
  ],
  paymentArrived: [
    "Aurora pagou R$ 10,00 para você",
    { company: "Aurora", payee: "Bia Lima", amount: 10_00, method: "PIX", description: null },
  ],
  withdrawalReturned: ["O resgate de R$ 10,00 voltou para o saldo", { amount: 10_00, reason: null }],
  payinDoubled: [
    "Pagamento em dobro de R$ 10,00",
    { id, amount: 10_00, canGoBack: false, payer: "Bia", charge: "Mensalidade" },
  ],
  infractionReported: [
    "Responda até 12/08/2026 10:05: contestação de um Pix de R$ 10,00",
    { id, amount: 10_00, payer: "Bia", situation: "scam", answerDueAt: at },
  ],
  pixKeyClaimed: [
    "Pediram a chave Pix 11.222.333/0001-81 da sua empresa",
    { ...key, id, claim: "PORTABILITY", answerUntil: at },
  ],
  pixKeyLost: ["A chave Pix 11.222.333/0001-81 saiu da sua empresa", key],
  pixKeyGivenUp: [
    "A chave Pix 11.222.333/0001-81 vai sair da sua empresa",
    { ...key, by: "Helena", how: "delete" },
  ],
  pixKeyCode: ["Seu código para cadastrar a chave Pix", { company: "Aurora", code: "123456", minutes: 30 }],
  limitRaiseRequested: [
    "Um limite de pagamento vai aumentar",
    { ...limit, from: 10_00, takesEffectAt: at, replaced: { value: 80_00, by: "Ana", takesEffectAt: at } },
  ],
  limitChanged: [
    "Um limite de pagamento foi reduzido",
    { ...limit, from: 90_00, raiseHours: 24, replaced: null },
  ],
  limitRaiseCancelled: ["O aumento de um limite foi cancelado", limit],
  replyToChanged: [
    "O e-mail que recebe as respostas mudou",
    { by: "Helena", from: null, to: "contas@exemplo.com.br" },
  ],
  withdrawalAccountSaved: [
    "A conta para saque da sua empresa mudou",
    { by: "Helena", isFirst: false, facts: [fact] },
  ],
  accountChangeRequested: [
    "Pediram a troca da conta para saque da sua empresa",
    { by: "Helena", isFirst: false, facts: [fact] },
  ],
  accountChangeApproved: [
    "A troca da conta para saque recebeu uma aprovação",
    { by: "Helena", requestedBy: null, isFirst: false, facts: [fact], missing: 2 },
  ],
  accountChangeRefused: [
    "A troca da conta para saque foi recusada",
    {
      by: "Helena",
      requestedBy: "Ana",
      isFirst: false,
      facts: [fact],
      isOwn: false,
      reason: "Não reconheço",
    },
  ],
  controlsChanged: [
    "Os controles da sua empresa vão mudar",
    { by: "Helena", approvedBy: null, inForceAt: at, facts: [fact] },
  ],
  requestsWait: ["Resgate aguarda sua aprovação", [{ title: "Resgate", by: "Helena", facts: [fact] }]],
  invoiceReportReady: [
    "O relatório de 07/2026 está pronto",
    { month: "2026-07-01", payments: 1_200, total: 10_00 },
  ],
  userCreated: ["Sua empresa tem um novo operador", { ...access, profile: "operator" }],
  adminChanged: ["Um administrador perdeu o acesso", { ...access, isAdmin: false }],
  adminRemoved: ["Um administrador foi excluído", access],
  factorChanged: ["A autenticação em 2 fatores de Ana mudou", { by: "Ana", isOn: true }],
  ownFactorChanged: ["Autenticação em 2 fatores ativada", { ...account, isOn: true }],
  ownFactorReset: ["Sua autenticação em 2 fatores foi desativada", { ...account, by: "Helena" }],
  factorReset: [
    "Autenticação em 2 fatores de Bia desativada",
    { ...account, by: "Helena", whose: { name: "Bia", email: "bia@exemplo.com.br" } },
  ],
  recoveryCodesMade: ["Novos códigos de recuperação", account],
  recoveryCodeUsed: ["Um código de recuperação foi usado", { ...account, left: 0 }],
  passwordChanged: ["Sua senha foi trocada", { ...account, endedCredentials: true }],
  passwordChosen: ["Sua senha foi criada", account],
  credentialCreated: ["Sua empresa tem uma nova credencial de API", credential],
  credentialRevoked: ["Uma credencial de API foi revogada", credential],
  ownCredentialCreated: ["Nova credencial de API", { ...account, name: "ERP", clientId: "api_1" }],
  ownCredentialRevoked: ["Credencial de API revogada", { ...account, name: "ERP", clientId: "api_1" }],
  accessLink: ["Seu acesso à conta da Aurora", link],
  passwordLink: ["Crie uma nova senha", link],
  addressTaken: ["Convite para a conta da Aurora", { by: "Helena", product: "Horizonte", company: "Aurora" }],
  passwordForgotten: ["Crie uma nova senha", { email: account.email, url: link.url }],
  receiptsReady: ["Os comprovantes do lote Folha estão prontos", { batch, id, rows: 2, expiresAt: at }],
  receiptsFailed: ["Não foi possível preparar seus comprovantes", { batch: null, batchId: id }],
  reportReady: [
    "Seu extrato está pronto",
    {
      ...{ isOfPayouts: false, period: "01/08/2026 a 12/08/2026", id },
      file: "Extrato (PDF)",
      rows: 2,
      expiresAt: at,
    },
  ],
  reportFailed: [
    "Não foi possível preparar seu relatório",
    { isOfPayouts: true, period: "12/08/2026 a 12/08/2026" },
  ],
  infractionsReady: ["A lista de infrações está pronta", { id, expiresAt: at }],
  infractionsFailed: ["Não foi possível preparar a lista de infrações", {}],
};

it.each(Object.keys(emails) as EmailKind[])(
  "writes %s under its subject, and names no other brand",
  (kind) => {
    const [subject, data] = samples[kind];
    const { greeting = "Olá, Ana!", button, ...email } = written(kind, data);
    expect(email.subject.replaceAll("\u00a0", " ")).toBe(subject);
    const { text } = renderEmail(
      "horizonte",
      email.subject,
      {
        ...email,
        greeting,
        ...(button && { button: { label: button.label, url: "https://exemplo.com.br/" } }),
      },
      { replyTo: null },
    );
    expect(text).not.toMatch(/malote|undefined|null|NaN|Invalid|\[object/i);
    expect(text).toContain(`--\n${mailBrands.horizonte.name}\n`);
  },
);

it("SES-072 writes moments in one form: the full date and the time", () => {
  const { facts } = written("pixKeyClaimed", samples.pixKeyClaimed[1]);
  expect(facts).toContainEqual({ label: "Responder até", value: "12/08/2026 10:05" });
  expect(written("controlsChanged", samples.controlsChanged[1]).paragraphs[0]).toContain(
    "A mudança vale a partir de 12/08/2026 10:05:",
  );
});

it.each(Object.keys(emails) as EmailKind[])("SES-072 writes every day with its year in %s", (kind) => {
  const words = JSON.stringify(written(kind, samples[kind][1]));
  expect(words.match(/(?<![\d/])\d{2}\/\d{2}(?![\d/])/g)).toBeNull();
});

it("links only to pages of the product, except for links that give a person access", () => {
  const kinds = Object.keys(emails) as EmailKind[];
  const elsewhere = kinds.filter((kind) => {
    const { button } = written(kind, samples[kind][1]);
    return button && "url" in button;
  });
  expect(elsewhere).toEqual(["accessLink", "passwordLink", "passwordForgotten"]);
});
