import type { listInfractionRefunds, listInfractions, readInfraction } from "@malote/contracts/contestations";
import { AppError } from "../platform/app-error.ts";
import { pageOf, readCursor } from "../platform/db/cursor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { infractionOf, movementOf } from "./present.ts";
import { findMovements } from "./refund-store.ts";
import { signedUrl } from "./signed-file.ts";
import { findInfraction, findPage, type InfractionRow } from "./store.ts";

type Needs = Pick<Services, "secrets">;

/** A row as it is shown at this moment, with an address of its attachment that opens from now on. */
export const infractionOnWire = (tx: Tx, { secrets }: Needs, row: InfractionRow, now: Date) =>
  infractionOf(row, (infractionId) => signedUrl(secrets, { companyId: tx.companyId, infractionId, now }));

export async function list(tx: Tx, services: Needs, { query, now }: Call<typeof listInfractions>) {
  const { page_cursor, page_size, ...filters } = query;
  const cursor = readCursor(page_cursor);
  const found = await findPage(tx, filters, cursor, page_size);
  const { rows, meta } = pageOf(found, page_size, cursor, ({ infraction_date: at, id }) => ({ at, id }));
  return { items: rows.map((row) => infractionOnWire(tx, services, row, now)), meta };
}

export async function getInfraction(tx: Tx, id: string): Promise<InfractionRow> {
  const row = await findInfraction(tx, id);
  if (!row) throw new AppError("not_found");
  return row;
}

export async function read(tx: Tx, services: Needs, { params, now }: Call<typeof readInfraction>) {
  return infractionOnWire(tx, services, await getInfraction(tx, params.id), now);
}

export async function listRefunds(tx: Tx, { params, query }: Call<typeof listInfractionRefunds>) {
  const { search = "", page_cursor, page_size } = query;
  const cursor = readCursor(page_cursor);
  const { id } = await getInfraction(tx, params.id);
  const found = await findMovements(tx, id, search, cursor, page_size);
  const { rows, meta } = pageOf(found, page_size, cursor, ({ attempt_date: at, id }) => ({ at, id }));
  return { items: rows.map(movementOf), meta };
}
