import type { Fault } from "../fault.ts";

const pay = (title: string) => ({ file: "apps/api/src/payments/pay.test.ts", test: title });
const corrected = (title: string) => ({
  file: "apps/api/src/payouts/transfers/correct-and-refund.test.ts",
  test: title,
});
const validated = (title: string) => ({ file: "apps/api/src/validation/validation.test.ts", test: title });
const withdrawn = (title: string) => ({ file: "apps/api/src/statement/withdraw.test.ts", test: title });
const counted = (title: string) => ({ file: "apps/api/src/indicators/indicators.test.ts", test: title });
const apply = "apps/api/src/payments/apply-payment-events.ts";

/** Of payments on their way, and of what comes back. */
export const paymentFaults: Fault[] = [
  {
    name: "a payment is sent before its end-to-end id is stored",
    file: "apps/api/src/payments/send-payments.ts",
    right: "      return { company: await readCompany(tx), orphans, due };",
    wrong: `      const company = await readCompany(tx);
      if (due.length > 0) await parts.rails.send(due.map((one) => orderOf(company, companyId, one)));
      return { company, orphans, due: [] };`,
    caughtBy: pay("TRF-007 gives each payment an end-to-end id before the network learns of it"),
  },
  {
    name: "two senders may take the same payment",
    file: "apps/api/src/payments/store.ts",
    right: "ORDER BY execute_at, id LIMIT ${max} FOR UPDATE SKIP LOCKED",
    wrong: "ORDER BY execute_at, id LIMIT ${max}",
    caughtBy: pay("hands each payment over once with four senders in two processes at once"),
  },
  {
    name: "a payment whose answer got lost is sent again under another id",
    file: "apps/api/src/payments/store.ts",
    right: "UPDATE transfers t SET claimed_at = ${now} FROM orphans",
    wrong: "UPDATE transfers t SET claimed_at = ${now}, end_to_end_id = reverse(end_to_end_id) FROM orphans",
    caughtBy: pay("asks the network before sending again when every answer gets lost, and pays once"),
  },
  {
    name: "a failure that arrives late takes back what had arrived",
    file: apply,
    right: 'moveByOutcome(tx, outcomes("failed"), underWay, "FAILED")',
    wrong: 'moveByOutcome(tx, outcomes("failed"), [...underWay, "TRANSFERRED", "FINISHED"], "FAILED")',
    caughtBy: pay("learns nothing of a failure after the money arrived"),
  },
  {
    name: "news of a payment counts whatever became of the payment since",
    file: "apps/api/src/payments/store.ts",
    right: "AND t.status = ANY(${from}::text[])\n      -- Says",
    wrong: "AND ${from}::text[] IS NOT NULL\n      -- Says",
    caughtBy: pay("TRF-007 takes finished before settled, and stays finished"),
  },
  {
    name: "a Pix that is delivered twice is posted twice",
    file: "apps/api/src/payins/money.ts",
    right: "=> `${way}:${paymentId}`;",
    wrong: "=> `${way}:${paymentId}:${crypto.randomUUID()}`;",
    caughtBy: {
      file: "apps/api/src/statement/statement.test.ts",
      test: "STM-009 STM-018 STM-019 a deposit shows its payer",
    },
  },
  {
    name: "what arrived still counts as reserved by its batch",
    file: apply,
    right: "reserved: -sum(arrived) - sum(neverLeft),",
    wrong: "reserved: -sum(neverLeft),",
    caughtBy: pay("with every event delivered twice, a mixed batch comes out right"),
  },
  {
    name: "what a bank sends back stays reserved",
    file: apply,
    right: '  from: "payouts",\n  to: "available",',
    wrong: '  from: "payouts",\n  to: "reserved",',
    caughtBy: pay("TRF-007 takes returned before settled, also in one call, and gives the money back once"),
  },
  {
    name: "the money of a withdrawal that failed stays reserved",
    file: apply,
    right: '    ...undone.map((one) => backOf(one, "reserved", systemBatches.get(one.batch_id))),\n',
    wrong: "",
    caughtBy: withdrawn("that the network refuses is back on the balance by itself"),
  },
  {
    name: "a validation learns nothing of its deposit that came back",
    file: apply,
    right: 'back: back.filter(isA("MICRO_DEPOSIT"))',
    wrong: "back: []",
    caughtBy: validated("VAL-010 VAL-016 VAL-017 says why it did not arrive, and its centavo is back"),
  },
  {
    name: "a micro deposit leaves the balance as it is",
    file: "apps/api/src/validation/create.ts",
    right: '    from: "available",\n    to: "reserved",',
    wrong: '    from: "pix_in",\n    to: "reserved",',
    caughtBy: validated("VAL-012 VAL-015 VAL-017 leaves the balance at once, arrives, and has a receipt"),
  },
  {
    name: "a centavo moves though our own rules say no",
    file: "apps/api/src/validation/create.ts",
    right: 'query.type === "MICRO_DEPOSIT" && ownErrors.length === 0',
    wrong: 'query.type === "MICRO_DEPOSIT"',
    caughtBy: validated("moves no centavo where our own rules already say no"),
  },
  {
    name: "a withdrawal leaves the balance as it is",
    file: "apps/api/src/statement/withdraw.ts",
    right: '    from: "available",\n    to: "reserved",',
    wrong: '    from: "pix_in",\n    to: "reserved",',
    caughtBy: withdrawn("STM-029 leaves the balance at once and arrives at the company's own account"),
  },
  {
    name: "a refund is given again for a payment that was given back",
    file: "apps/api/src/payouts/transfers/edit.ts",
    right: '  if (transfer.status !== "FAILED") throw new AppError("transfer_not_failed");',
    wrong: '  if (transfer.status === "CREATED") throw new AppError("transfer_not_failed");',
    caughtBy: corrected("TRF-046 refuses giving back without a token, permission, key, or a failed payment"),
  },
  {
    name: "a refund gives back what did not fail",
    file: "apps/api/src/payouts/transfers/store.ts",
    right: `AND t.status IN \${movesTo(transferTransitions, "RETURNED", ["FAILED"])}\n      AND receiver_id(t) IN (`,
    wrong: "AND receiver_id(t) IN (",
    caughtBy: corrected("TRF-047 gives back nothing of what the same receiver was paid"),
  },
  {
    name: "a corrected payment still counts as failed",
    file: "apps/api/src/payouts/transfers/edit.ts",
    right: "{ failed: -1 }",
    wrong: "{ failed: 0 }",
    caughtBy: corrected("TRF-045 sends a corrected payment again, as a new order"),
  },
  {
    name: "a correction may send more than was reserved",
    file: "apps/api/src/payouts/transfers/edit.ts",
    right: "body.value !== null && body.value !== transfer.value",
    wrong: "body.value !== null && body.value < 0",
    caughtBy: corrected("TRF-045 refuses a correction by an analyst or a stranger, of another value"),
  },
  {
    name: "the indicators go on counting a failure that was corrected",
    file: "apps/api/src/payouts/transfers/edit.ts",
    right: "  await countMoved(tx, [sent]);\n",
    wrong: "",
    caughtBy: counted("IND-006 IND-007 IND-008 follow payments that arrive, fail, are corrected"),
  },
  {
    name: "the indicators count withdrawals",
    file: apply,
    right: "({ batch_id }) => !systemBatches.has(batch_id),\n",
    wrong: "() => true,\n",
    caughtBy: counted("leave withdrawals out, whether they arrive, are refused or come back"),
  },
  {
    name: "the indicators take their days from Greenwich",
    file: "apps/api/migrations/0033_payment_days.sql",
    right: "AT TIME ZONE 'America/Sao_Paulo'",
    wrong: "AT TIME ZONE 'UTC'",
    caughtBy: counted("take the day from the clock on the wall in São Paulo"),
  },
];
