import {
  type listNews,
  type markNewsSeen,
  type NewsItem,
  newsKinds,
  newsPolicies,
} from "@malote/contracts/news";
import { mayCall } from "@malote/contracts/policy";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { countUnseen, listNewsOf, type NewsRow, saveSeen } from "./store.ts";

const shownMax = 50;
const countedMax = 100;

export async function readNews(tx: Tx, { actor }: Call<typeof listNews>) {
  const kinds = newsKinds.filter((kind) => mayCall(newsPolicies[kind], actor));
  const reader = { userId: actor.id, kinds };
  const [rows, unseen] = await Promise.all([
    listNewsOf(tx, { ...reader, max: shownMax }),
    countUnseen(tx, { ...reader, max: countedMax }),
  ]);
  return { data: rows.map(itemOf), unseen };
}

const itemOf = ({
  position,
  kind,
  at,
  object_id,
  batch,
  amount,
  actor_name,
  about,
  is_new,
}: NewsRow): NewsItem => ({
  position,
  kind,
  at: at.toISOString(),
  object_id,
  batch,
  amount,
  by: actor_name,
  about,
  is_new,
});

export async function markSeen(tx: Tx, { actor, body }: Call<typeof markNewsSeen>) {
  await saveSeen(tx, actor.id, body.position);
  return { ok: true as const };
}
