import { hasLimit, limitPeriods, paymentMethods } from "@malote/domain/payment-limits";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminPerson, applications, everyProfile } from "./policy.ts";
import { byId, centavos, date, id, instant } from "./wire.ts";

const limit = z.object({ period: z.enum(limitPeriods), payment_method: z.enum(paymentMethods) });

const limitsView = z.object({
  data: z.array(
    limit.extend({
      limit: centavos,
      /** The installation's maximum, which no raise exceeds. */
      maximum: centavos,
      /**
       * The amount up to which the caller's raise takes effect at once, because they lowered the limit a short while
       * ago.
       */
      restores_to: centavos.nullable(),
      /** Sum of the payments sent or scheduled in the current or next period. A limit per payment has no sum. */
      used: centavos.nullable(),
      left: centavos.nullable(),
      /** The first day of that period: a night has its evening's date, a weekend its Saturday's. */
      day: date.nullable(),
      renews_at: instant.nullable(),
    }),
  ),
  /** Raises that have not taken effect yet. */
  raises: z.array(
    limit.extend({
      id,
      value: centavos,
      requested_at: instant,
      requested_by: z.string(),
      takes_effect_at: instant,
    }),
  ),
  raise_hours: z.int(),
});
export type LimitsView = z.infer<typeof limitsView>;

export const readLimits = contract({
  id: "readLimits",
  base: "payments",
  method: "GET",
  path: "/app/limits",
  summary: "Limites da empresa com o que resta de cada um, e aumentos que esperam",
  policy: { ...everyProfile, applications },
  response: limitsView,
});

export const changeLimit = contract({
  id: "changeLimit",
  base: "payments",
  method: "PUT",
  path: "/app/limits",
  summary:
    "Mudar um limite: menor vale na hora, maior depois do prazo da instalação; quem reduziu desfaz na hora por 24 horas",
  policy: adminPerson,
  body: limit.extend({ value: centavos.min(0) }).refine(
    // TED and boletos count in the daytime sum at any hour (decision 0033) and have no other limit (COM-039).
    ({ period, payment_method: type }) => hasLimit(period, type),
    { path: ["period"] },
  ),
  response: limitsView,
});

export const cancelLimitRaise = contract({
  id: "cancelLimitRaise",
  base: "payments",
  method: "DELETE",
  path: "/app/limits/raises/:id",
  summary: "Cancelar um aumento de limite que ainda espera",
  policy: adminPerson,
  params: byId,
  response: limitsView,
});
