import * as z from "zod";
import { contract } from "./contract.ts";
import { everyProfile } from "./policy.ts";
import { date } from "./wire.ts";

/** A period that includes both days, by the calendar of São Paulo. */
const period = z.object({ startDate: date, endDate: date });

/** The payment statuses that the calls filter by. */
export type CountedStatus = "finished" | "transferred" | "returned";

/** One status, or several separated by commas (IND-006). */
const statusList = z.string().regex(/^(finished|transferred|returned)(,(finished|transferred|returned))*$/);

const quantity = z.int().min(0);
/** A percentage with two decimals (IND-013). */
const percentage = z.number().min(0).max(100);

/** Every month or day of the period, including those without payments. A month is named by its first day. */
const quantities = z.object({ data: z.array(z.object({ date, quantity })) });

export const readQuantityPerMonth = contract({
  id: "readQuantityPerMonth",
  base: "payments",
  method: "GET",
  path: "/app/transfer/quantityPerMonth",
  summary: "Quantidade de pagamentos por mês do período",
  policy: everyProfile,
  query: period.extend({ status: statusList }),
  response: quantities,
});

export const readQuantityPerDay = contract({
  id: "readQuantityPerDay",
  base: "payments",
  method: "GET",
  path: "/app/transfer/quantityPerDay",
  summary: "Quantidade de pagamentos por dia do período",
  policy: everyProfile,
  query: period.extend({ status: statusList }),
  response: quantities,
});

export const readDistributionPerBank = contract({
  id: "readDistributionPerBank",
  base: "payments",
  method: "GET",
  path: "/app/transfer/distributionPerBank",
  summary: "Pagamentos finalizados, ou devolvidos, por banco do recebedor, do maior ao menor",
  policy: everyProfile,
  query: period.extend({ status: z.enum(["finished", "returned"]) }),
  response: z.object({ data: z.array(z.object({ name: z.string(), percentage, quantity })) }),
});

export const readCountByStatus = contract({
  id: "readCountByStatus",
  base: "payments",
  method: "GET",
  path: "/app/transfer/countByStatus",
  summary: "Quantidade de pagamentos finalizados e devolvidos no período",
  policy: everyProfile,
  query: period.extend({ status: z.literal("finished,returned") }),
  response: z.object({ finished: quantity, returned: quantity }),
});

export const readFailedPerStatusDescription = contract({
  id: "readFailedPerStatusDescription",
  base: "payments",
  method: "GET",
  path: "/app/transfer/failedPerStatusDescription",
  summary: "Pagamentos com falha ou devolvidos por motivo, do mais ao menos frequente",
  policy: everyProfile,
  query: period,
  response: z.object({ data: z.array(z.object({ description: z.string(), percentage, quantity })) }),
});
