/** Every limit with its remaining amount, for the page and for a company's own systems. */
import type { LimitsView } from "@malote/contracts/limits";
import { hourMs } from "@malote/domain/durations";
import {
  currentWindow,
  isSameWindow,
  limitPeriods,
  paymentMethods,
  renewsAt,
  restoreHours,
  sumPeriods,
} from "@malote/domain/payment-limits";
import { installationLimits, limitsInForce, readCompany } from "../company/index.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { listLoweredSince, listOpenRaises, readSums } from "./store.ts";

/** Returns the limits that the caller lowered and may restore. */
export const listRestorableLimits = (tx: Tx, by: string, now: Date) =>
  listLoweredSince(tx, by, new Date(now.getTime() - restoreHours * hourMs));

export async function readView(
  tx: Tx,
  { actor, now }: { actor: Pick<Actor, "id">; now: Date },
): Promise<LimitsView> {
  const windows = paymentMethods.flatMap((method) =>
    sumPeriods.map((period) => ({ ...currentWindow(period, method, now), method })),
  );
  const [{ settings }, sums, raises, lowered] = await Promise.all([
    readCompany(tx),
    readSums(tx, windows),
    listOpenRaises(tx),
    listRestorableLimits(tx, actor.id, now),
  ]);
  const limits = limitsInForce(settings);
  const usedOf = (window: (typeof windows)[number]) =>
    sums.find((sum) => sum.method === window.method && isSameWindow(sum, window))?.value ?? 0;
  return {
    data: limitPeriods.flatMap((period) =>
      paymentMethods.map((method) => {
        const window = windows.find((one) => one.period === period && one.method === method);
        const used = window ? usedOf(window) : null;
        const limit = limits[period][method];
        const maximum = installationLimits().maxima[period][method];
        const before = lowered.find((one) => one.period === period && one.method === method)?.before ?? 0;
        const restoresTo = Math.min(before, maximum);
        return {
          period,
          payment_method: method,
          limit,
          maximum,
          restores_to: restoresTo > limit ? restoresTo : null,
          used,
          left: used === null ? null : Math.max(0, limit - used),
          day: window?.day ?? null,
          renews_at: window ? renewsAt(window).toISOString() : null,
        };
      }),
    ),
    raises: raises.map((raise) => ({
      id: raise.id,
      period: raise.period,
      payment_method: raise.method,
      value: raise.value,
      requested_at: raise.requested_at.toISOString(),
      requested_by: raise.requested_by_name,
      takes_effect_at: raise.takes_effect_at.toISOString(),
    })),
    raise_hours: installationLimits().raiseHours,
  };
}
