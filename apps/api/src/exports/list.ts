/** List of all files that a user requested, of every kind. */
import { type FileKindName, fileDownloads, fileKindNames, type listFiles } from "@malote/contracts/files";
import { mayCall } from "@malote/contracts/policy";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { EveryKind } from "./kind.ts";
import { type Export, listExports } from "./store.ts";
import { fileNameOf } from "./streamed.ts";

const shownMax = 20;

/** Lists the user's files whose download the user is permitted to call. */
export async function listOwnFiles(tx: Tx, { actor, now }: Call<typeof listFiles>, kinds: EveryKind) {
  const readable = fileKindNames.filter((kind) => mayCall(fileDownloads[kind].policy, actor));
  const own = await listExports(tx, { requestedBy: actor.id, kinds: readable, now, max: shownMax });
  return {
    data: await Promise.all(
      own.map(async (requested) => ({
        id: requested.id,
        kind: requested.kind as FileKindName,
        name: await readFileName(tx, requested, kinds.get(requested.kind)),
        state: requested.state,
        rows_count: requested.rows_count,
        requested_at: requested.created_at.toISOString(),
        expires_at: requested.expires_at.toISOString(),
      })),
    ),
  };
}

async function readFileName(tx: Tx, requested: Export, kind: ReturnType<EveryKind["get"]>): Promise<string> {
  if (!kind) throw new Error(`no feature has files of the kind ${requested.kind}`);
  return kind.madeBy === "job"
    ? (await kind.file(tx, requested)).name
    : fileNameOf(kind, requested.created_at);
}
