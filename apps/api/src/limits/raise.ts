/** Changes of a company's limits by its admins: lower at once, higher after the installation's number of hours. */
import type * as contracts from "@malote/contracts/limits";
import { auditChanges } from "@malote/domain/audit-trail";
import type { PaymentMethod } from "@malote/domain/limits";
import { cents, formatBrl } from "@malote/domain/money";
import { decideLimitChange, type LimitPeriod } from "@malote/domain/payment-limits";
import {
  changeSettings,
  installationLimits,
  limitsInForce,
  lockCompany,
  readCompany,
  type StoredSettings,
} from "../company/index.ts";
import { requireAged } from "../controls/index.ts";
import { listAdminIds } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { requireIdentityConfirmed } from "../session/index.ts";
import { listRestorableLimits, readView } from "./read.ts";
import {
  cancelRaise,
  endDueRaises,
  insertLowering,
  insertRaise,
  isKnownRaise,
  listCompaniesWithDueRaises,
  replaceRaise,
} from "./store.ts";

function withLimit(
  settings: StoredSettings,
  { period, method, value }: { period: LimitPeriod; method: PaymentMethod; value: number },
): Partial<StoredSettings> {
  if (period === "TRANSACTION")
    return { accountLimits: { ...settings.accountLimits, [method]: cents(value) } };
  const { periodLimits } = settings;
  return {
    periodLimits: { ...periodLimits, [period]: { ...periodLimits?.[period], [method]: cents(value) } },
  };
}

export async function changeLimit(
  tx: Tx,
  call: Call<typeof contracts.changeLimit>,
  services: Services,
): Promise<contracts.LimitsView> {
  const { body, actor, now } = call;
  const { period, payment_method: method, value } = body;
  // A limit of zero stops every payment, so neither a stolen token nor an invented person may set one.
  await requireIdentityConfirmed(tx, services, actor);
  await requireAged(tx, actor.id, now);
  // Of two simultaneous changes, the second is decided on the result of the first.
  await lockCompany(tx);
  const { settings } = await readCompany(tx);
  const current = limitsInForce(settings)[period][method];
  const max = installationLimits().maxima[period][method];
  const lowered = (await listRestorableLimits(tx, actor.id, now)).find(
    (one) => one.period === period && one.method === method,
  );
  const decision = decideLimitChange({
    current,
    before: lowered ? cents(lowered.before) : null,
    wanted: cents(value),
    max,
    raiseHours: installationLimits().raiseHours,
    now,
  });
  if (decision.kind === "refused") throw new AppError(decision.code, { max: formatBrl(max) });

  const limitRef = { period, payment_method: method };
  const replaced = await replaceRaise(tx, { period, method }, now);
  // A call adds one audit entry: a withdrawn raise is in the entry of its replacement.
  const waited = replaced ? { raise: replaced.value } : {};
  const happened = {
    ...{ admins: await listAdminIds(tx), by: actor.name, period, type: method, from: current, value },
    replaced: replaced
      ? {
          value: replaced.value,
          by: replaced.requested_by_name,
          takesEffectAt: replaced.takes_effect_at.toISOString(),
        }
      : null,
  };
  const changes = auditChanges({ limit: current, ...waited }, { limit: value });
  if (decision.kind === "lowered") {
    await changeSettings(tx, withLimit(settings, { period, method, value }));
    await insertLowering(tx, {
      id: uuidv7(now.getTime()),
      period,
      method,
      before: current,
      by: actor.id,
      now,
    });
    await audit(tx, call, "limit_lowered", tx.companyId, { ...limitRef, changes });
    await emit(tx, emissionOf(call), { type: "limit.changed", objectId: tx.companyId, payload: happened });
  } else if (decision.kind === "restored") {
    await changeSettings(tx, withLimit(settings, { period, method, value }));
    await audit(tx, call, "limit_raised", tx.companyId, { ...limitRef, changes });
    await emit(tx, emissionOf(call), { type: "limit.changed", objectId: tx.companyId, payload: happened });
    await offerRoom(tx, services);
  } else {
    const raise = {
      id: uuidv7(now.getTime()),
      period,
      method,
      value,
      requested_by: actor.id,
      requested_by_name: actor.name,
      // A repeated request takes effect no earlier than the raise that it replaces.
      takes_effect_at: laterOf(decision.takesEffectAt, replaced?.takes_effect_at),
    };
    await insertRaise(tx, { ...raise, now });
    await audit(tx, call, "limit_raise_requested", raise.id, {
      ...limitRef,
      limit: current,
      at: raise.takes_effect_at,
      changes: auditChanges(waited, { raise: value }),
    });
    await emit(tx, emissionOf(call), {
      type: "limit.raise_asked",
      objectId: raise.id,
      payload: { ...happened, takesEffectAt: raise.takes_effect_at.toISOString() },
    });
  }
  return readView(tx, call);
}

const laterOf = (one: Date, other: Date | undefined) => (other && other > one ? other : one);

/**
 * Cancels a pending raise. The limit in force stays, so no password and no quarantine applies: a person who reads of a
 * raise they did not agree to stops it at once. The other admins are notified of the person, and the raise can be
 * requested again.
 */
export async function cancelLimitRaise(
  tx: Tx,
  call: Call<typeof contracts.cancelLimitRaise>,
): Promise<contracts.LimitsView> {
  const raise = await cancelRaise(tx, call.params.id, call.now);
  if (!raise) throw new AppError((await isKnownRaise(tx, call.params.id)) ? "limit_raise_over" : "not_found");
  await audit(tx, call, "limit_raise_cancelled", raise.id, {
    period: raise.period,
    payment_method: raise.method,
    changes: auditChanges({ raise: raise.value }, {}),
  });
  const { period, method, value } = raise;
  await emit(tx, emissionOf(call), {
    type: "limit.raise_cancelled",
    objectId: raise.id,
    payload: { admins: await listAdminIds(tx), by: call.actor.name, period, type: method, value },
  });
  return readView(tx, call);
}

/** Puts raises in force on schedule, after their waiting hours. */
export async function applyDueRaises(services: Services): Promise<void> {
  const companies = await services.db.withSystem((tx) =>
    listCompaniesWithDueRaises(tx, services.clock.now()),
  );
  for (const companyId of companies)
    await services.db.withCompany(companyId, async (tx) => {
      const now = services.clock.now();
      await lockCompany(tx);
      for (const raise of await endDueRaises(tx, now)) {
        const { settings } = await readCompany(tx);
        const from = limitsInForce(settings)[raise.period][raise.method];
        await changeSettings(tx, withLimit(settings, raise));
        await audit(tx, { actor: "system", now }, "limit_raised", raise.id, {
          period: raise.period,
          payment_method: raise.method,
          changes: auditChanges({ limit: from }, { limit: raise.value }),
        });
      }
      await offerRoom(tx, services);
    });
}

/** Enqueues waiting batches, which may have lacked room in a limit rather than money. */
const offerRoom = (tx: Tx, services: Services) =>
  services.jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
