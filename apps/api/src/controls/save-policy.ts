/**
 * Saves the company's own controls: another admin, if there is one, approves a change; a sole admin tightens at once
 * and loosens a day later.
 */

import type { saveControls } from "@malote/contracts/controls";
import { auditChanges } from "@malote/domain/audit-trail";
import {
  type ControlPolicy,
  faultOfPolicy,
  firstPolicy,
  isLooser,
  loosenAfterHours,
  type PolicyInForce,
  strictest,
} from "@malote/domain/controls";
import { hourMs } from "@malote/domain/durations";
import { cents, formatBrl } from "@malote/domain/money";
import { readCompany } from "../company/index.ts";
import { listAdminIds, listApprovers, listPeople, readPreparers } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { type Emission, emissionOf, emit } from "../platform/events/emit.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { requireIdentityConfirmed } from "../session/index.ts";
import type { ExecuteRequest } from "./decide-request.ts";
import { requireAged } from "./need.ts";
import { policyOfSettings, readPolicyInForce } from "./policy.ts";
import { type ControlsResult, passControls } from "./requests.ts";
import * as store from "./store.ts";

type Wire = Call<typeof saveControls>["body"]["policy"];

export const policyOnWire = (policy: ControlPolicy) => ({
  requires_other_approver: policy.requiresOtherApprover,
  bands: policy.bands.map(({ from, approvers }) => ({ from, approvers })),
  operator_approvers: [...policy.operatorApprovers],
  step_up_from: policy.stepUpFrom,
  operators_may_withdraw: policy.operatorsMayWithdraw,
  operators_may_correct: policy.operatorsMayCorrect,
  operators_may_give_back: policy.operatorsMayGiveBack,
  quarantine_hours: policy.quarantineHours,
});

const policyOf = (given: Wire): ControlPolicy => ({
  requiresOtherApprover: given.requires_other_approver,
  bands: given.bands.map(({ from, approvers }) => ({ from: cents(from), approvers })),
  operatorApprovers: [...new Set(given.operator_approvers)].sort(),
  stepUpFrom: given.step_up_from === null ? null : cents(given.step_up_from),
  operatorsMayWithdraw: given.operators_may_withdraw,
  operatorsMayCorrect: given.operators_may_correct,
  operatorsMayGiveBack: given.operators_may_give_back,
  quarantineHours: given.quarantine_hours,
});

const faultCodes = { bands: "controls_bands", hours: "controls_hours", people: "approvers_too_few" } as const;

/** Refuses an invalid policy, one without approvers, and one that only its maker could satisfy. */
async function requireUsablePolicy(tx: Tx, policy: ControlPolicy, makerId: string): Promise<void> {
  const [given, { people: own }] = await Promise.all([
    listApprovers(tx, policy),
    readPreparers(tx, [makerId]),
  ]);
  const operators = given.filter(({ profile }) => profile === "operator");
  if (operators.length < policy.operatorApprovers.length) throw new AppError("controls_operator_gone");
  // A person who was invited and never signed in cannot approve yet.
  const approvers = given.filter(({ hasPassword }) => hasPassword);
  if (strictest(policy) > 0 && approvers.every(({ id }) => own.includes(id)))
    throw new AppError("controls_without_others", {
      waiting: given
        .flatMap(({ name, hasPassword }) => (hasPassword ? [] : [` ${name} ainda não escolheu a senha.`]))
        .join(""),
    });
  const fault = faultOfPolicy(policy, approvers.length);
  if (fault) throw new AppError(faultCodes[fault], { count: strictest(policy) });
  const withFactor = approvers.filter(({ hasFactor }) => hasFactor).length;
  if (policy.stepUpFrom !== null && withFactor < Math.max(1, strictest(policy)))
    throw new AppError("controls_without_factor", { count: Math.max(1, strictest(policy)) });
}

const yes = (is: boolean) => (is ? "Sim" : "Não");
const approversText = (count: number) =>
  count === 0 ? "Ninguém mais" : count === 1 ? "1 aprovador" : `${count} aprovadores`;

/** Returns a policy line by line. `names`: of the operators it may name. */
function linesOf(
  policy: ControlPolicy,
  names: ReadonlyMap<string, string>,
): [label: string, value: string][] {
  const operators = policy.operatorApprovers.map((id) => names.get(id) ?? "Alguém que saiu").sort();
  return [
    ["Exigir aprovação por outra pessoa", yes(policy.requiresOtherApprover)],
    [
      "Aprovadores por valor",
      policy.bands
        .map(({ from, approvers }) => `a partir de ${formatBrl(from)}: ${approversText(approvers)}`)
        .join("; "),
    ],
    ["Operadores que aprovam", operators.join(", ") || "Nenhum"],
    [
      "Código do autenticador",
      policy.stepUpFrom === null ? "Não pedido" : `A partir de ${formatBrl(policy.stepUpFrom)}`,
    ],
    ["Operadores resgatam", yes(policy.operatorsMayWithdraw)],
    ["Operadores corrigem", yes(policy.operatorsMayCorrect)],
    ["Operadores devolvem ao saldo", yes(policy.operatorsMayGiveBack)],
    ["Espera de pessoas e contas novas", `${policy.quarantineHours} horas`],
  ];
}

/** Returns the changed lines, each with its previous value, for approvers and admins. */
const readPolicyFacts = async (tx: Tx, before: ControlPolicy, after: ControlPolicy) =>
  policyChangesOf(namesOf(await listPeople(tx)), before, after);

/** Two people can have the same name, but not the same address (decision 0030). */
const namesOf = (people: readonly { id: string; name: string; email: string }[]) =>
  new Map(people.map(({ id, name, email }) => [id, `${name} <${email}>`]));

function policyChangesOf(names: ReadonlyMap<string, string>, before: ControlPolicy, after: ControlPolicy) {
  const was = new Map(linesOf(before, names));
  const changed = linesOf(after, names).filter(([label, value]) => was.get(label) !== value);
  if (changed.length === 0) return [{ label: "Controles", value: "Como estão agora" }];
  return changed.map(([label, value]) => ({ label, value: `${was.get(label)} → ${value}` }));
}

async function makeVersion(
  tx: Tx,
  emission: Emission,
  made: {
    before: ControlPolicy;
    policy: ControlPolicy;
    by: { id: string; name: string };
    approvedBy?: { id: string; name: string };
    inForceAt: Date;
    now: Date;
  },
): Promise<number> {
  const version = (await store.readLastVersion(tx)) + 1;
  await store.insertPolicy(tx, { ...made, version });
  await emit(tx, emission, {
    type: "company.controls_changed",
    objectId: tx.companyId,
    payload: {
      admins: await listAdminIds(tx),
      by: made.by.name,
      approvedBy: made.approvedBy?.name ?? null,
      inForceAt: made.inForceAt > made.now ? made.inForceAt.toISOString() : null,
      facts: await readPolicyFacts(tx, made.before, made.policy),
    },
  });
  return version;
}

const isSame = (one: ControlPolicy, other: ControlPolicy) =>
  JSON.stringify(policyOnWire(one)) === JSON.stringify(policyOnWire(other));

const saved = ({ countedBefore: _, ...policy }: PolicyInForce): ControlPolicy => policy;

export async function savePolicy(tx: Tx, services: Pick<Services, "clock">, call: Call<typeof saveControls>) {
  const { body, actor, now } = call;
  await requireIdentityConfirmed(tx, services, actor);
  await requireAged(tx, actor.id, now);
  await store.lockPolicies(tx);
  if ((await store.readLastVersion(tx)) !== body.version) throw new AppError("controls_changed");
  const policy = policyOf(body.policy);
  const before = await readPolicyInForce(tx, now);
  await requireUsablePolicy(tx, policy, actor.id);
  // Any other admin can withdraw a pending loosening alone, because the policy in force stays.
  const later = await store.findLaterPolicy(tx, now);
  const takesBack = later !== undefined && isSame(policy, before);
  const passed: ControlsResult = takesBack
    ? { kind: "free", people: [] }
    : await passControls(tx, call, {
        kind: "POLICY",
        objectId: actor.companyId,
        amount: null,
        payload: { version: body.version, policy },
        facts: await readPolicyFacts(tx, before, policy),
      });
  if (passed.kind === "waits") return { outcome: "waits_for_approval" as const, in_force_at: null };
  // Saving an equal form again keeps the pending version's time.
  if (later && isSame(policy, { ...firstPolicy, ...later.policy }))
    return { outcome: "later" as const, in_force_at: later.in_force_at.toISOString() };
  const inForceAt = isLooser(before, policy) ? new Date(now.getTime() + loosenAfterHours * hourMs) : now;
  const version = await makeVersion(tx, emissionOf(call), { before, policy, by: actor, inForceAt, now });
  await audit(tx, call, "controls_changed", actor.companyId, {
    version,
    inForceAt,
    changes: auditChanges({ ...saved(before) }, { ...policy }),
  });
  return {
    outcome: inForceAt > now ? ("later" as const) : ("in_force" as const),
    in_force_at: inForceAt.toISOString(),
  };
}

/** Puts an approved policy in force at once, even a looser one, because two admins agreed. */
export const executePolicy: ExecuteRequest<"POLICY"> = async (
  tx,
  { payload, approvers },
  { actor, now, requestId },
) => {
  const { version, policy } = payload;
  await store.lockPolicies(tx);
  if ((await store.readLastVersion(tx)) !== version) throw new AppError("controls_changed");
  if (actor === "system" || !actor.id) throw new Error("a policy needs a person as its requester");
  await requireUsablePolicy(tx, policy, actor.id);
  const before = await readPolicyInForce(tx, now);
  const approvedBy = approvers.find(({ id }) => id !== actor.id);
  if (!approvedBy) throw new Error("a policy was approved without a second person");
  await makeVersion(
    tx,
    { now, cause: `request:${requestId}` },
    {
      before,
      policy,
      by: { id: actor.id, name: actor.name },
      approvedBy,
      inForceAt: now,
      now,
    },
  );
  return auditChanges({ ...saved(before) }, { ...policy });
};

export async function readControls(tx: Tx, { now }: { now: Date }) {
  const [policy, versions, later, people] = await Promise.all([
    readPolicyInForce(tx, now),
    store.listPolicies(tx),
    store.findLaterPolicy(tx, now),
    listPeople(tx),
  ]);
  const names = namesOf(people);
  const start = policyOfSettings((await readCompany(tx)).settings);
  /**
   * Returns the policy that was in force when this version was made; unknown for the oldest listed version unless it is
   * the first.
   */
  const beforeOf = (made: store.PolicyRow): ControlPolicy | undefined =>
    versions.find(
      (one, n) =>
        one.version < made.version &&
        one.in_force_at <= made.made_at &&
        !versions.slice(0, n).some((newer) => newer.made_at < one.in_force_at),
    )?.policy ?? (versions.at(-1)?.version === 1 ? start : undefined);
  const changesOf = (made: store.PolicyRow) => {
    const before = beforeOf(made);
    return before
      ? policyChangesOf(names, { ...firstPolicy, ...before }, { ...firstPolicy, ...made.policy })
      : [];
  };
  return {
    version: versions[0]?.version ?? 0,
    policy: policyOnWire(policy),
    later: later
      ? {
          policy: policyOnWire(later.policy),
          in_force_at: later.in_force_at.toISOString(),
          changes: policyChangesOf(names, policy, later.policy),
        }
      : null,
    people: people.map(({ email: _, ...person }) => person),
    history: versions.map((one) => ({
      version: one.version,
      policy: policyOnWire(one.policy),
      made_at: one.made_at.toISOString(),
      made_by: one.made_by_name,
      approved_by: one.approved_by_name,
      in_force_at: one.in_force_at.toISOString(),
      changes: changesOf(one),
    })),
  };
}
