import type * as contracts from "@malote/contracts/contestations";
import { listRequestedAnswers } from "../controls/index.ts";
import { AppError } from "../platform/app-error.ts";
import { pageOf, readCursor } from "../platform/db/cursor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { infractionOf, movementOf } from "./present.ts";
import { listMovements } from "./refund-store.ts";
import { signedUrl } from "./signed-file.ts";
import { findInfraction, findPage, type InfractionRow } from "./store.ts";

type Needs = Pick<Services, "secrets">;

/** Converts rows to the wire format, with attachment addresses that are valid from now on. */
async function readOnWire(
  tx: Tx,
  { secrets }: Needs,
  rows: readonly InfractionRow[],
  now: Date,
): Promise<contracts.Infraction[]> {
  const pending = rows.filter(({ analysis_status }) => analysis_status === "pending");
  const requests = await listRequestedAnswers(
    tx,
    pending.map(({ id }) => id),
    now,
  );
  const fileUrl = (infractionId: string) =>
    signedUrl(secrets, { companyId: tx.companyId, infractionId, now });
  return rows.map((row) => infractionOf(row, { request: requests.get(row.id), fileUrl }));
}

export async function listInfractions(
  tx: Tx,
  services: Needs,
  { query, now }: Call<typeof contracts.listInfractions>,
) {
  const { page_cursor, page_size, ...filters } = query;
  const cursor = readCursor(page_cursor);
  const found = await findPage(tx, filters, cursor, page_size);
  const { rows, meta } = pageOf(found, page_size, cursor, ({ infraction_date: at, id }) => ({ at, id }));
  return { items: await readOnWire(tx, services, rows, now), meta };
}

export async function getInfraction(tx: Tx, id: string): Promise<InfractionRow> {
  const row = await findInfraction(tx, id);
  if (!row) throw new AppError("not_found");
  return row;
}

export async function readOne(tx: Tx, services: Needs, id: string, now: Date): Promise<contracts.Infraction> {
  const [infraction] = await readOnWire(tx, services, [await getInfraction(tx, id)], now);
  if (!infraction) throw new Error("the infraction was not inserted");
  return infraction;
}

export const readInfraction = (
  tx: Tx,
  services: Needs,
  { params, now }: Call<typeof contracts.readInfraction>,
) => readOne(tx, services, params.id, now);

export async function listRefunds(tx: Tx, { params, query }: Call<typeof contracts.listInfractionRefunds>) {
  const { search = "", page_cursor, page_size } = query;
  const cursor = readCursor(page_cursor);
  const { id } = await getInfraction(tx, params.id);
  const found = await listMovements(tx, id, search, cursor, page_size);
  const { rows, meta } = pageOf(found, page_size, cursor, ({ attempt_date: at, id }) => ({ at, id }));
  return { items: rows.map(movementOf), meta };
}
