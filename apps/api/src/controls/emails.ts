/** What Malote writes about what waits for somebody's approval. Nothing is approved by a link: it leads to the screen. */
import { emailAdmins } from "../company/index.ts";
import { firstName } from "../emails/index.ts";
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

/** What became of a request, and by whom. */
type Step = { by: { id: string; name: string }; now: Date } & (
  | { kind: "asked" }
  | { kind: "approved"; missing: number }
  | { kind: "rejected" | "cancelled"; reason: string | null }
);

/**
 * Of a change of the withdrawal account all admins read at every step: what is asked for at night and approved by whoever else's
 * account was taken is seen before the wait of withdrawals is over. Of any other request nothing.
 */
export async function emailStepOfAccount(
  tx: Tx,
  parts: Pick<Parts, "jobs" | "config">,
  request: Pick<requests.RequestRow, "kind" | "requested_by"> & {
    facts: readonly { label: string; value: string }[];
  },
  step: Step,
): Promise<void> {
  if (request.kind !== "WITHDRAWAL_ACCOUNT") return;
  const people = await store.emailsOf(tx, [step.by.id, request.requested_by]);
  const by = withEmail(step.by.name, people.get(step.by.id)?.email ?? null);
  const asker = people.get(request.requested_by);
  const asked = asker ? `a troca pedida por ${withEmail(asker.name, asker.email)}` : "a troca";
  const reason = "reason" in step ? step.reason : null;
  await emailAdmins(tx, parts, {
    ...wordsOfStep(step, by, asked),
    facts: [...request.facts, ...(reason ? [{ label: "Motivo", value: reason }] : [])],
    page: "/pagamentos/lotes/aprovacoes",
    now: step.now,
  });
}

function wordsOfStep(step: Step, by: string, asked: string): { subject: string; what: string } {
  switch (step.kind) {
    case "asked":
      return {
        subject: "Pediram a troca da conta para saque da sua empresa",
        what: `${by} pediu outra conta para onde vão os resgates. Ela só vale depois da aprovação de outra pessoa.`,
      };
    case "approved":
      return step.missing > 0
        ? {
            subject: "A troca da conta para saque recebeu uma aprovação",
            what: `${by} aprovou ${asked}. ${step.missing === 1 ? "Falta mais 1 aprovação" : `Faltam mais ${step.missing} aprovações`} para ela valer.`,
          }
        : {
            subject: "A conta para saque da sua empresa mudou",
            what: `${by} aprovou ${asked}, que já vale.`,
          };
    case "rejected":
      return {
        subject: "A troca da conta para saque foi recusada",
        what: `${by} recusou ${asked}. A conta continua como está.`,
      };
    case "cancelled":
      return {
        subject: "A troca da conta para saque foi cancelada",
        what: `${by} cancelou ${asked}. A conta continua como está.`,
      };
  }
}

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
