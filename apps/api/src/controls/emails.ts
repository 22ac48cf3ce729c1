/** What Malote writes about what waits for somebody's approval. Nothing is approved by a link: it leads to the screen. */
import { firstName } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { forEachCompany } from "../platform/feature.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import { policyInForce } from "./policy.ts";
import * as requests from "./requests-store.ts";
import * as store from "./store.ts";

/** Of a request, in the words of screens and e-mails. */
export const kindNames: Readonly<Record<requests.RequestKind, string>> = {
  CORRECTION: "Correção de um pagamento",
  WITHDRAWAL: "Resgate",
  PAYIN_REFUND: "Devolução de um recebimento",
  INFRACTION: "Devolução por contestação",
  WITHDRAWAL_ACCOUNT: "Troca da conta para saque",
  POLICY: "Mudança dos controles",
};

/** Of this request: how many payments it sends again, where they are many. */
export function requestTitle({ kind, payload }: { kind: requests.RequestKind; payload: unknown }): string {
  const count = (payload as { payments?: readonly unknown[] } | null)?.payments?.length;
  if (kind !== "CORRECTION" || count === undefined) return kindNames[kind];
  return count === 1 ? "Nova tentativa de 1 pagamento" : `Nova tentativa de ${count} pagamentos`;
}

/** Between two e-mails about requests to the same person. */
const gapMinutes = 5;
/** Of one e-mail; the screen lists them all. */
const listedMax = 50;

/** Asks these people for their yes: by an e-mail of its own, or shortly after another one together with what comes meanwhile. */
export async function emailApprovers(
  tx: Tx,
  parts: Pick<Parts, "jobs" | "config">,
  asked: { requestId: string; people: readonly { id: string }[]; now: Date },
): Promise<void> {
  await requests.insertNotices(
    tx,
    asked.requestId,
    asked.people.map(({ id }) => id),
  );
  await emailDue(tx, parts, asked.now);
}

const gapBefore = (now: Date) => new Date(now.getTime() - gapMinutes * 60_000);

async function emailDue(tx: Tx, parts: Pick<Parts, "jobs" | "config">, now: Date): Promise<void> {
  await requests.lockNotices(tx);
  const due = await requests.peopleToEmail(tx, gapBefore(now));
  if (due.length === 0) return;
  const people = await store.listApprovers(tx, await policyInForce(tx, now));
  for (const id of due) {
    const waiting = await requests.takeNotices(tx, id, now);
    const person = people.find((one) => one.id === id);
    // Decided meanwhile, or not theirs to approve any more.
    if (!person || waiting.length === 0) continue;
    await writeToApprover(tx, parts, person, waiting, now);
  }
}

/** What the clock calls for. */
export async function emailDueApprovers(parts: Parts): Promise<void> {
  const now = parts.clock.now();
  const companies = await parts.db.withSystem((tx) => requests.companiesToEmail(tx, gapBefore(now)));
  await forEachCompany(parts, "writing to approvers", companies, (companyId) =>
    parts.db.withCompany(companyId, (tx) => emailDue(tx, parts, parts.clock.now())),
  );
}

/** Names are chosen by those who bear them; the e-mail says who it is. */
export const withEmail = (name: string, email: string | null) => (email ? `${name} (${email})` : name);

async function writeToApprover(
  tx: Tx,
  parts: Pick<Parts, "jobs" | "config">,
  person: { name: string; email: string },
  requests: readonly requests.NoticedRequest[],
  now: Date,
): Promise<void> {
  const [first] = requests;
  const isOne = first !== undefined && requests.length === 1;
  const shown = requests.slice(0, listedMax);
  const more = requests.length - shown.length;
  await queueMail(tx, parts.jobs, {
    to: person.email,
    subject: isOne
      ? `${requestTitle(first)} aguarda sua aprovação`
      : `${requests.length} pedidos aguardam sua aprovação`,
    content: {
      greeting: `Olá, ${firstName(person.name)}!`,
      paragraphs: isOne
        ? [
            `${withEmail(first.requested_by_name, first.email)} pediu o que está abaixo. Nada acontece antes da aprovação de outra pessoa.`,
          ]
        : [
            `Estes pedidos chegaram há pouco. Nenhum acontece antes da aprovação de outra pessoa.${more > 0 ? ` Mais ${more} estão em Aprovações.` : ""}`,
          ],
      facts: isOne
        ? first.facts
        : shown.map(({ requested_by_name, email, ...request }) => ({
            label: requestTitle(request),
            value: [
              ...request.facts.map(({ label, value }) => `${label}: ${value}`),
              `Pedido por ${withEmail(requested_by_name, email)}`,
            ].join("; "),
          })),
      button: {
        label: isOne ? "Ver o pedido" : "Ver os pedidos",
        url: `${parts.config.publicUrl}/pagamentos/lotes/aprovacoes`,
      },
    },
    now,
  });
}
