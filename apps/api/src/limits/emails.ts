/** What Malote writes to people about limits: a raise waits so that somebody can say no. */
import type { PaymentType } from "@malote/domain/limits";
import { cents, formatBrl } from "@malote/domain/money";
import {
  hourText,
  type LimitPeriod,
  paymentTypeNames,
  periodNames,
  restoreHours,
} from "@malote/domain/payment-limits";
import { emailAdmins, firstName, paymentAdmins } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import type { RaiseRow } from "./store.ts";

interface AskedRaise {
  period: LimitPeriod;
  type: PaymentType;
  from: number;
  value: number;
  requested_by_name: string;
  takes_effect_at: Date;
  replaced: RaiseRow | undefined;
}

/** A raise that waited and does no longer: whoever agreed to it reads who ended it, in the e-mail of what took its place. */
const replacedFact = (raise: RaiseRow | undefined) =>
  raise
    ? [
        {
          label: "Aumento que esperava e deixa de valer",
          value: `${formatBrl(cents(raise.value))}, pedido por ${raise.requested_by_name} para ${hourText(raise.takes_effect_at)}`,
        },
      ]
    : [];

export async function emailAdminsOfRaise(tx: Tx, parts: Parts, raise: AskedRaise, now: Date): Promise<void> {
  for (const person of await paymentAdmins(tx)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: "Um limite de pagamento vai aumentar",
      content: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: [
          `${raise.requested_by_name} pediu um limite maior. Se você não concorda, cancele o aumento antes que ele valha.`,
        ],
        facts: [
          { label: "Limite", value: `${paymentTypeNames[raise.type]}, ${periodNames[raise.period]}` },
          { label: "Hoje", value: formatBrl(cents(raise.from)) },
          { label: "Novo valor", value: formatBrl(cents(raise.value)) },
          { label: "Vale a partir de", value: hourText(raise.takes_effect_at) },
          ...replacedFact(raise.replaced),
        ],
        button: { label: "Ver os limites", url: `${parts.config.publicUrl}/minha-empresa/limites` },
      },
      now,
    });
  }
}

/** A lower limit, which may stop what others pay, and what it was before when it comes back. */
export const emailAdminsOfChange = (
  tx: Tx,
  parts: Parts,
  change: {
    period: LimitPeriod;
    type: PaymentType;
    from: number;
    value: number;
    by: string;
    replaced: RaiseRow | undefined;
    now: Date;
  },
): Promise<void> =>
  emailAdmins(tx, parts, {
    subject:
      change.value < change.from
        ? "Um limite de pagamento foi reduzido"
        : "A redução de um limite de pagamento foi desfeita",
    what:
      change.value < change.from
        ? `${change.by} reduziu um limite, e o novo valor já vale. Por ${restoreHours} horas, quem reduziu pode desfazer na hora; o aumento pedido por outra pessoa espera ${tx.installation.raiseHours} horas.`
        : `${change.by} desfez a redução de um limite, e o novo valor já vale.`,
    facts: [
      { label: "Limite", value: `${paymentTypeNames[change.type]}, ${periodNames[change.period]}` },
      { label: "Antes", value: formatBrl(cents(change.from)) },
      { label: "Agora", value: formatBrl(cents(change.value)) },
      ...replacedFact(change.replaced),
    ],
    page: "/minha-empresa/limites",
    now: change.now,
  });

export const emailAdminsOfCancelling = (
  tx: Tx,
  parts: Parts,
  raise: { period: LimitPeriod; type: PaymentType; value: number; by: string; now: Date },
): Promise<void> =>
  emailAdmins(tx, parts, {
    subject: "O aumento de um limite foi cancelado",
    what: `${raise.by} cancelou um aumento que ainda esperava. O limite continua como está.`,
    facts: [
      { label: "Limite", value: `${paymentTypeNames[raise.type]}, ${periodNames[raise.period]}` },
      { label: "Novo valor que esperava", value: formatBrl(cents(raise.value)) },
    ],
    page: "/minha-empresa/limites",
    now: raise.now,
  });
