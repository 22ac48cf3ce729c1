import type * as contracts from "@malote/contracts/receivers";
import { pageSize } from "@malote/domain/limits";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { receiverOf } from "./present.ts";
import { findReceiver, listFirst, listPage } from "./store.ts";

/** Number of suggestions that a person can scan quickly. */
const suggestionsMax = 8;

const mayPay = (actor: Actor) => actor.profile !== "analyst";

export async function listReceivers(
  tx: Tx,
  { query: { page, ...filters }, actor }: Call<typeof contracts.listReceivers>,
) {
  const { rows, count } = await listPage(tx, { ...filters, whole: mayPay(actor) }, page);
  return {
    data: rows.map((row) => receiverOf(row, { whole: false })),
    metadata: { pagination: { itemsPerPage: pageSize, totalItems: count } },
  };
}

/** Returns suggestions; choosing one fills the form, so people who may pay get the unmasked data. */
export async function searchReceivers(tx: Tx, { query, actor }: Call<typeof contracts.searchReceivers>) {
  const whole = mayPay(actor);
  const rows = await listFirst(tx, { search: query.search, whole }, suggestionsMax);
  return { data: rows.map((row) => receiverOf(row, { whole })) };
}

export async function readReceiver(tx: Tx, { params, actor }: Call<typeof contracts.readReceiver>) {
  const row = await findReceiver(tx, params.id);
  if (!row) throw new AppError("not_found");
  return receiverOf(row, { whole: mayPay(actor) });
}
