/** E-mails about batches and their payments. */
import { brl, type Email, type Fact } from "./email.ts";

interface BatchSnapshot {
  id: string;
  name: string;
  payments: number;
  amount: number;
}

const facts = ({ name, payments, amount }: BatchSnapshot): Fact[] => [
  { label: "Lote", value: name },
  { label: "Pagamentos", value: String(payments) },
  { label: "Valor total", value: brl(amount) },
];

const pageOf = (id: string) => `/pagamentos/lotes?lote=${id}` as const;

export const batchEmails = {
  /** `checks`: unusual facts about the batch, as sentences. */
  batchAwaitsApproval: (batch: BatchSnapshot & { sender: string; checks: readonly string[] }): Email => ({
    subject: `O lote ${batch.name} aguarda sua aprovação`,
    paragraphs: [`${batch.sender} enviou um lote de pagamentos para aprovação.`],
    facts: [
      ...facts(batch),
      ...(batch.checks.length > 0 ? [{ label: "Para conferir", value: batch.checks.join(" · ") }] : []),
    ],
    button: { label: "Ver o lote", page: pageOf(batch.id) },
  }),

  batchRejected: (batch: BatchSnapshot & { by: string; reason: string | null }): Email => ({
    subject: `O lote ${batch.name} foi reprovado`,
    paragraphs: [
      `${batch.by} reprovou o lote. Ele voltou a ser um rascunho: corrija o que for preciso e envie de novo para aprovação.`,
    ],
    facts: [...facts(batch), ...(batch.reason ? [{ label: "Motivo", value: batch.reason }] : [])],
    button: { label: "Abrir o rascunho", page: pageOf(batch.id) },
  }),

  batchApproved: (batch: BatchSnapshot & { by: string }): Email => ({
    subject: `O lote ${batch.name} foi aprovado`,
    paragraphs: [
      `${batch.by} aprovou o lote. Os pagamentos saem assim que o saldo cobrir o total, cada um no seu dia.`,
    ],
    facts: facts(batch),
    button: { label: "Ver o lote", page: pageOf(batch.id) },
  }),

  batchSentBack: (batch: BatchSnapshot & { reason: string }): Email => ({
    subject: `O lote ${batch.name} voltou a ser rascunho`,
    paragraphs: ["O lote não foi pago e nenhum valor saiu da conta.", batch.reason],
    facts: facts(batch),
    button: { label: "Abrir o rascunho", page: pageOf(batch.id) },
  }),

  /** `named`: some of the failed payments; the batch page shows the others. */
  paymentsFailed: (batch: {
    id: string;
    name: string;
    failed: number;
    named: readonly { name: string | null; value: number; reason: string | null }[];
  }): Email => {
    const what = batch.failed === 1 ? "1 pagamento falhou" : `${batch.failed} pagamentos falharam`;
    const others = batch.failed - batch.named.length;
    return {
      subject: `${what} no lote ${batch.name}`,
      paragraphs: [
        `${what}. O valor continua separado no lote até que alguém corrija e tente de novo, ou devolva ao saldo.`,
      ],
      facts: [
        { label: "Lote", value: batch.name },
        ...batch.named.map(({ name, value, reason }) => ({
          label: name ?? "Sem nome",
          value: [brl(value), reason].filter(Boolean).join(" · "),
        })),
        ...(others > 0 ? [{ label: "Outros", value: `mais ${others} no lote` }] : []),
      ],
      button: { label: "Ver as falhas", page: pageOf(batch.id) },
    };
  },

  /** Notifies the payee, who does not use the product. */
  paymentArrived: (payment: {
    company: string;
    payee: string;
    amount: number;
    method: string;
    description: string | null;
  }): Email => ({
    subject: `${payment.company} pagou ${brl(payment.amount)} para você`,
    greeting: `Olá, ${payment.payee}!`,
    paragraphs: [`${payment.company} fez um pagamento para você. O comprovante está anexado a este e-mail.`],
    facts: [
      { label: "Valor", value: brl(payment.amount) },
      { label: "Forma", value: methodNames[payment.method] ?? payment.method },
      ...(payment.description ? [{ label: "Descrição", value: payment.description }] : []),
    ],
  }),

  /** Reports a withdrawal that the network refused or the other bank returned: no screen waits for this result. */
  withdrawalReturned: ({ amount, reason }: { amount: number; reason: string | null }): Email => ({
    subject: `O resgate de ${brl(amount)} voltou para o saldo`,
    paragraphs: [
      "O resgate não chegou à conta da empresa, e o valor já está de novo no saldo. Confira a conta para saque antes de resgatar outra vez.",
    ],
    facts: [{ label: "Valor", value: brl(amount) }, ...(reason ? [{ label: "Motivo", value: reason }] : [])],
    button: { label: "Ver o extrato", page: "/pagamentos/saldo" },
  }),
};

const methodNames: Readonly<Record<string, string>> = {
  PIX: "Pix",
  TED: "TED",
  TEV: "Transferência interna",
};
