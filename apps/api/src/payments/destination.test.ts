/** The network gets every stored field of a destination. */
import { ownInstitution } from "@malote/domain/own-institution";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { PaymentOrder } from "../ports/rails.ts";
import {
  auroraId,
  openPayments,
  type PaymentsKit,
  paidFor,
  releaseOnly,
  ted,
} from "../testing/payments-kit.ts";
import { sendDuePayments } from "./index.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

/** Columns of both tables that are no part of the destination. */
const notOfADestination = [
  "company_id",
  "id",
  "created_at",
  "email",
  "search_text",
  "status",
  "status_description",
];

/** Columns that a payment and a saved receiver share: a new part of a destination is a column of both. */
async function destinationColumns(): Promise<string[]> {
  const { rows } = await kit.services.db.pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name IN ('transfers', 'receivers')
     GROUP BY column_name HAVING count(*) = 2`,
  );
  return rows.map(({ name }) => name).filter((name) => !notOfADestination.includes(name));
}

const inOrders = (column: string) => column.replace(/_(\w)/g, (_, first: string) => first.toUpperCase());

it.each([
  ["TED", "00000000"],
  ["TEV", ownInstitution().ispb],
])("hands over every stored field of the destination with a %s", async (method, bank) => {
  const { rails } = kit.services;
  const orders: PaymentOrder[] = [];
  kit.services.rails = {
    ...rails,
    send(given) {
      orders.push(...given);
      return rails.send(given);
    },
  };
  const { destination_bank_account: account } = ted(100_00);
  const to = {
    ...account,
    bank_id: bank,
    agency: "1584",
    agency_digit: "9",
    account: "210169",
    account_digit: "6",
  };
  const id = await paidFor(kit, [ted(100_00, { destination_bank_account: to })]);
  await releaseOnly(kit, id);
  await sendDuePayments(kit.services, { companyId: auroraId });
  await kit.pass({ minutes: 10 });

  const { rows } = await kit.services.db.pool.query("SELECT * FROM transfers WHERE batch_id = $1", [id]);
  const columns = await destinationColumns();
  const stored = Object.fromEntries(columns.map((column) => [inOrders(column), rows[0][column]]));
  expect(stored).toMatchObject({
    agency: "1584",
    agencyDigit: "9",
    accountDigit: "6",
    taxId: "11222333000181",
  });
  expect(orders).toMatchObject([{ method, receiver: stored }]);
});
