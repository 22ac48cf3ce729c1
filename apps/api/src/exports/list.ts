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
      own.map(async (asked) => ({
        id: asked.id,
        kind: asked.kind as FileKindName,
        name: await readFileName(tx, asked, kinds.get(asked.kind)),
        state: asked.state,
        rows_count: asked.rows_count,
        requested_at: asked.created_at.toISOString(),
        expires_at: asked.expires_at.toISOString(),
      })),
    ),
  };
}

async function readFileName(tx: Tx, asked: Export, kind: ReturnType<EveryKind["get"]>): Promise<string> {
  if (!kind) throw new Error(`no feature has files of the kind ${asked.kind}`);
  return kind.madeBy === "job" ? (await kind.file(tx, asked)).name : fileNameOf(kind, asked.created_at);
}
