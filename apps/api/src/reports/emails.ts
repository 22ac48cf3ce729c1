/** What Malote writes to whoever asked for a report. */
import { type CalendarDate, formatDate, saoPauloDate } from "@malote/domain/calendar";
import { firstName } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import { reportForms } from "./forms.ts";
import type { ReportRequest } from "./store.ts";

const number = new Intl.NumberFormat("pt-BR");

/** Where it was asked for, and where its link opens. */
const pageOf = (kind: ReportRequest["kind"]) =>
  kind === "payouts" ? "/pagamentos/transferencias" : "/pagamentos/saldo";
const what = (kind: ReportRequest["kind"]) => (kind === "payouts" ? "relatório" : "extrato");
const period = ({ initial_date, end_date }: ReportRequest) =>
  `${formatDate(initial_date as CalendarDate)} a ${formatDate(end_date as CalendarDate)}`;

/** The link opens only for somebody of the company who is signed in: a letter may be read by others. */
export async function emailReportReady(tx: Tx, parts: Parts, request: ReportRequest): Promise<void> {
  if (!request.asked_by_email) return;
  await queueMail(tx, parts.jobs, {
    to: request.asked_by_email,
    subject: `Seu ${what(request.kind)} está pronto`,
    letter: {
      greeting: `Olá, ${firstName(request.asked_by_name)}!`,
      paragraphs: [`O ${what(request.kind)} que você pediu está pronto para baixar.`],
      facts: [
        { label: "Arquivo", value: fileKindOf(request) },
        { label: "Período", value: period(request) },
        {
          label: request.kind === "payouts" ? "Transferências" : "Lançamentos",
          value: number.format(request.rows_count ?? 0),
        },
        { label: "Disponível até", value: formatDate(saoPauloDate(request.expires_at)) },
      ],
      button: {
        label: `Baixar ${what(request.kind)}`,
        url: `${parts.config.publicUrl}${pageOf(request.kind)}?arquivo=${request.id}`,
      },
    },
    now: parts.clock.now(),
  });
}

const fileKindOf = ({ kind }: ReportRequest) =>
  `${reportForms[kind].name} (${reportForms[kind].ending.toUpperCase()})`;

export async function emailReportFailed(tx: Tx, parts: Parts, request: ReportRequest): Promise<void> {
  if (!request.asked_by_email) return;
  await queueMail(tx, parts.jobs, {
    to: request.asked_by_email,
    subject: `Não foi possível preparar seu ${what(request.kind)}`,
    letter: {
      greeting: `Olá, ${firstName(request.asked_by_name)}!`,
      paragraphs: [`Não foi possível preparar o ${what(request.kind)} que você pediu. Peça de novo.`],
      facts: [{ label: "Período", value: period(request) }],
      button: { label: "Pedir de novo", url: `${parts.config.publicUrl}${pageOf(request.kind)}` },
    },
    now: parts.clock.now(),
  });
}
