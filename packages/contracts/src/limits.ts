import { hasLimit, limitPeriods, paymentTypes } from "@malote/domain/payment-limits";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminPerson, applications, everyProfile } from "./policy.ts";
import { byId, centavos, date, id, instant } from "./wire.ts";

const limit = z.object({ period: z.enum(limitPeriods), payment_method: z.enum(paymentTypes) });

const limitsView = z.object({
  data: z.array(
    limit.extend({
      limit: centavos,
      /** The installation's: no raise passes it. */
      maximum: centavos,
      /** Lowered a short while ago by the caller: up to this amount their raise takes effect at once. */
      restores_to: centavos.nullable(),
      /**
       * Of the period that runs now or begins next: payments sent or scheduled in it. A limit of one payment has no
       * sum.
       */
      used: centavos.nullable(),
      left: centavos.nullable(),
      /** The day that period begins on: a night's is its evening's, a weekend's its Saturday. */
      day: date.nullable(),
      renews_at: instant.nullable(),
    }),
  ),
  /** Raises that wait for their hour. */
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
    // COM-039: TED and boletos count in the daytime's sum at any hour (decision 0033), and have no other.
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
