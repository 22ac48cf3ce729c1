import type { listInfractionRefunds, listInfractions, readInfraction } from "@malote/contracts/contestations";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { pageOf, readCursor } from "./cursor.ts";
import { infractionOf, movementOf } from "./present.ts";
import { findMovements } from "./refund-store.ts";
import { findInfraction, findPage, type InfractionRow } from "./store.ts";

export async function list(tx: Tx, { query }: Call<typeof listInfractions>) {
  const { page_cursor, page_size, ...filters } = query;
  const cursor = readCursor(page_cursor);
  const found = await findPage(tx, filters, cursor, page_size);
  const { rows, meta } = pageOf(found, page_size, cursor, ({ infraction_date: at, id }) => ({ at, id }));
  return { items: rows.map(infractionOf), meta };
}

export async function getInfraction(tx: Tx, id: string): Promise<InfractionRow> {
  const row = await findInfraction(tx, id);
  if (!row) throw new AppError("not_found");
  return row;
}

export async function read(tx: Tx, { params }: Call<typeof readInfraction>) {
  return infractionOf(await getInfraction(tx, params.id));
}

export async function listRefunds(tx: Tx, { params, query }: Call<typeof listInfractionRefunds>) {
  const { search = "", page_cursor, page_size } = query;
  const cursor = readCursor(page_cursor);
  const { id } = await getInfraction(tx, params.id);
  const found = await findMovements(tx, id, search, cursor, page_size);
  const { rows, meta } = pageOf(found, page_size, cursor, ({ attempt_date: at, id }) => ({ at, id }));
  return { items: rows.map(movementOf), meta };
}
