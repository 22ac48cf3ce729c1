/** E-mails about the company: its limits, controls, settings and requests for approval. */
import { formatMoment } from "@malote/domain/calendar";
import type { PaymentMethod } from "@malote/domain/limits";
import {
  hourText,
  type LimitPeriod,
  paymentMethodNames,
  periodNames,
  restoreHours,
} from "@malote/domain/payment-limits";
import { brl, count, type Email, type Fact, noticeToAdmins } from "./email.ts";

interface Limit {
  period: LimitPeriod;
  type: PaymentMethod;
}

const limitFact = ({ period, type }: Limit): Fact => ({
  label: "Limite",
  value: `${paymentMethodNames[type]}, ${periodNames[period]}`,
});

/**
 * Pending raise that a new one replaced. The e-mail about the new one names its replacement, so that its requester
 * learns of it.
 */
interface Replaced {
  replaced: { value: number; by: string; takesEffectAt: Date } | null;
}

const replacedFact = ({ replaced }: Replaced): Fact[] =>
  replaced
    ? [
        {
          label: "Aumento que esperava e deixa de valer",
          value: `${brl(replaced.value)}, pedido por ${replaced.by} para ${hourText(replaced.takesEffectAt)}`,
        },
      ]
    : [];

/** Pending request and its requester. */
export interface WaitingRequest {
  title: string;
  by: string;
  facts: readonly Fact[];
}

interface StepOfAccount {
  by: string;
  /** Null for a request by a credential. */
  requestedBy: string | null;
  /** True when the account is the first one, so that no other account is replaced. */
  isFirst: boolean;
  facts: readonly Fact[];
}

const changeOf = ({ requestedBy, isFirst }: Pick<StepOfAccount, "requestedBy" | "isFirst">) =>
  `${isFirst ? "a conta" : "a troca"}${requestedBy === null ? "" : ` pedida por ${requestedBy}`}`;

const firstAccountSubject = "Sua empresa tem uma conta para saque";

const approvalsPage = "/pagamentos/lotes/aprovacoes";

/** Maximum number of requests in one e-mail; the screen lists all of them. */
const requestsListedMax = 50;

export const companyEmails = {
  /** Announces a raise that is pending, so that another admin can cancel it. */
  limitRaiseRequested: (
    raise: Limit & Replaced & { by: string; from: number; value: number; takesEffectAt: Date },
  ): Email => ({
    subject: "Um limite de pagamento vai aumentar",
    paragraphs: [
      `${raise.by} pediu um limite maior. Se você não concorda, cancele o aumento antes que ele valha.`,
    ],
    facts: [
      limitFact(raise),
      { label: "Hoje", value: brl(raise.from) },
      { label: "Novo valor", value: brl(raise.value) },
      { label: "Vale a partir de", value: hourText(raise.takesEffectAt) },
      ...replacedFact(raise),
    ],
    button: { label: "Ver os limites", page: "/minha-empresa/limites" },
  }),

  /**
   * Announces a change of a limit. A lower limit may stop payments of other users; the e-mail names the earlier value
   * and how long a raise waits.
   */
  limitChanged: (
    change: Limit & Replaced & { by: string; from: number; value: number; raiseHours: number },
  ): Email =>
    noticeToAdmins({
      subject:
        change.value < change.from
          ? "Um limite de pagamento foi reduzido"
          : "A redução de um limite de pagamento foi desfeita",
      what:
        change.value < change.from
          ? `${change.by} reduziu um limite, e o novo valor já vale. Por ${restoreHours} horas, quem reduziu pode desfazer na hora; o aumento pedido por outra pessoa espera ${change.raiseHours} horas.`
          : `${change.by} desfez a redução de um limite, e o novo valor já vale.`,
      facts: [
        limitFact(change),
        { label: "Antes", value: brl(change.from) },
        { label: "Agora", value: brl(change.value) },
        ...replacedFact(change),
      ],
      page: "/minha-empresa/limites",
    }),

  limitRaiseCancelled: (raise: Limit & { by: string; value: number }): Email =>
    noticeToAdmins({
      subject: "O aumento de um limite foi cancelado",
      what: `${raise.by} cancelou um aumento que ainda esperava. O limite continua como está.`,
      facts: [limitFact(raise), { label: "Novo valor que esperava", value: brl(raise.value) }],
      page: "/minha-empresa/limites",
    }),

  replyToChanged: ({ by, from, to }: { by: string; from: string | null; to: string }): Email =>
    noticeToAdmins({
      subject: "O e-mail que recebe as respostas mudou",
      what: `${by} mudou o e-mail que recebe as respostas às mensagens da sua empresa.`,
      facts: [{ label: "E-mail", value: `${from ?? "Nenhum"} → ${to}` }],
      page: "/pagamentos/configuracoes/geral",
    }),

  withdrawalAccountSaved: (saved: { by: string; isFirst: boolean; facts: readonly Fact[] }): Email =>
    noticeToAdmins({
      subject: saved.isFirst ? firstAccountSubject : "A conta para saque da sua empresa mudou",
      what: `${saved.by} salvou a conta para onde vão os resgates.`,
      facts: saved.facts,
      page: "/pagamentos/configuracoes/dados-bancarios",
    }),

  /** Announces a pending change of the withdrawal account; all admins are notified of every step. */
  accountChangeRequested: ({ by, isFirst, facts }: Omit<StepOfAccount, "requestedBy">): Email =>
    noticeToAdmins({
      subject: isFirst
        ? "Pediram a primeira conta para saque da sua empresa"
        : "Pediram a troca da conta para saque da sua empresa",
      what: `${by} pediu ${isFirst ? "a primeira" : "outra"} conta para onde vão os resgates. Ela só vale depois da aprovação de outra pessoa.`,
      facts,
      page: approvalsPage,
    }),

  accountChangeApproved: ({ by, facts, missing, ...requested }: StepOfAccount & { missing: number }): Email =>
    noticeToAdmins({
      ...(missing > 0
        ? {
            subject: requested.isFirst
              ? "A primeira conta para saque recebeu uma aprovação"
              : "A troca da conta para saque recebeu uma aprovação",
            what: `${by} aprovou ${changeOf(requested)}. ${missing === 1 ? "Falta mais 1 aprovação" : `Faltam mais ${missing} aprovações`} para ela valer.`,
          }
        : {
            subject: requested.isFirst ? firstAccountSubject : "A conta para saque da sua empresa mudou",
            what: `${by} aprovou ${changeOf(requested)}, que já vale.`,
          }),
      facts,
      page: approvalsPage,
    }),

  /** `isOwn` is true when the requester withdrew the request. */
  accountChangeRefused: (step: StepOfAccount & { isOwn: boolean; reason: string | null }): Email =>
    noticeToAdmins({
      subject: `${step.isFirst ? "A primeira conta" : "A troca da conta"} para saque foi ${step.isOwn ? "cancelada" : "recusada"}`,
      what: `${step.by} ${step.isOwn ? "cancelou" : "recusou"} ${changeOf(step)}. ${step.isFirst ? "Sua empresa continua sem conta para saque." : "A conta continua como está."}`,
      facts: [...step.facts, ...(step.reason ? [{ label: "Motivo", value: step.reason }] : [])],
      page: approvalsPage,
    }),

  /** `inForceAt` is null when the controls are in force already. */
  controlsChanged: (change: {
    by: string;
    approvedBy: string | null;
    inForceAt: Date | null;
    facts: readonly Fact[];
  }): Email =>
    noticeToAdmins({
      subject:
        change.inForceAt === null
          ? "Os controles da sua empresa mudaram"
          : "Os controles da sua empresa vão mudar",
      what:
        change.inForceAt === null
          ? `${change.by} mudou os controles de pagamento${change.approvedBy ? `, com a aprovação de ${change.approvedBy}` : ""}.`
          : `${change.by} afrouxou os controles de pagamento. A mudança vale a partir de ${formatMoment(change.inForceAt)}: até lá, qualquer administrador pode salvar outros.`,
      facts: change.facts,
      page: "/minha-empresa/controles",
    }),

  /** Reminds of one or more requests. Its link opens the screen and approves nothing. */
  requestsWait: (requests: readonly [WaitingRequest, ...WaitingRequest[]]): Email => {
    const [first] = requests;
    const isOne = requests.length === 1;
    const shown = requests.slice(0, requestsListedMax);
    const more = requests.length - shown.length;
    return {
      subject: isOne
        ? `${first.title} aguarda sua aprovação`
        : `${requests.length} pedidos aguardam sua aprovação`,
      paragraphs: isOne
        ? [`${first.by} pediu o que está abaixo. Nada acontece antes da aprovação de outra pessoa.`]
        : [
            `Estes pedidos chegaram há pouco. Nenhum acontece antes da aprovação de outra pessoa.${more > 0 ? ` Mais ${more} estão em Aprovações.` : ""}`,
          ],
      facts: isOne
        ? first.facts
        : shown.map(({ title, by, facts }) => ({
            label: title,
            value: [...facts.map(({ label, value }) => `${label}: ${value}`), `Pedido por ${by}`].join("; "),
          })),
      button: {
        label: isOne ? "Ver o pedido" : "Ver os pedidos",
        page: approvalsPage,
      },
    };
  },

  /**
   * Announces an invoice report. Its link opens only for a signed-in admin of the company, because other people may
   * read an e-mail.
   */
  invoiceReportReady: (invoice: { month: string; payments: number; total: number }): Email => {
    const competence = `${invoice.month.slice(5, 7)}/${invoice.month.slice(0, 4)}`;
    return {
      subject: `O relatório de ${competence} está pronto`,
      paragraphs: ["O relatório que você pediu está pronto: uma planilha com cada pagamento desta fatura."],
      facts: [
        { label: "Competência", value: competence },
        { label: "Pagamentos", value: count(invoice.payments) },
        { label: "Valor da fatura", value: brl(invoice.total) },
      ],
      button: {
        label: "Baixar o relatório",
        page: `/minha-empresa/faturas?relatorio=${invoice.month}`,
      },
    };
  },
};
