/**
 * Files that are written during their download. Each is requested first, so that it has an audit entry and an address.
 */
import { bases } from "@malote/contracts/contract";
import { saoPauloDate } from "@malote/domain/calendar";
import { hourMs } from "@malote/domain/durations";
import { fetchedSheets } from "@malote/domain/limits";
import { recordReportCheckpoint } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit, countEntries } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call, CompanyCall } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { type StreamedKind, streamedActions } from "./kind.ts";
import {
  countStreamed,
  type Export,
  findExport,
  insertExport,
  lockRequests,
  renewStreamed,
} from "./store.ts";
import { streamCsv } from "./stream-csv.ts";

export async function requestStreamed<Row, Filters extends object>(
  tx: Tx,
  call: Pick<Call<never>, "actor" | "now" | "requestId"> & { body: Filters },
  kind: StreamedKind<Row, Filters>,
): Promise<{ id: string }> {
  await kind.expect?.(tx);
  const id = await renewOrInsert(tx, call, kind.kind);
  await audit(tx, call, kind.requested, id, call.body as Record<string, unknown>);
  await recordReportCheckpoint(tx, call);
  return { id };
}

async function renewOrInsert(
  tx: Tx,
  { actor, now, body: request }: { actor: { id: string }; now: Date; body: object },
  kind: string,
): Promise<string> {
  await lockRequests(tx);
  const since = new Date(now.getTime() - hourMs);
  const count = await countEntries(tx, { by: actor.id, actions: streamedActions, since });
  if (count >= fetchedSheets.requestsPerHourMax)
    throw new AppError("sheets_asked_in_an_hour", { max: fetchedSheets.requestsPerHourMax });
  const expiresAt = new Date(now.getTime() + fetchedSheets.keptHours * hourMs);
  const requested = { kind, request, requestedBy: actor.id, now, expiresAt };
  const renewed = await renewStreamed(tx, requested);
  if (renewed) return renewed;
  if ((await countStreamed(tx, kind, now)) >= fetchedSheets.requestsMax)
    throw new AppError("sheets_asked_too_many", { max: fetchedSheets.requestsMax });
  const id = uuidv7(now.getTime());
  await insertExport(tx, { ...requested, id, isStreamed: true });
  return id;
}

type AboutOne = { params: { id: string }; now: Date };

async function getStreamed<Row, Filters>(
  tx: Tx,
  { params, now }: AboutOne,
  kind: StreamedKind<Row, Filters>,
): Promise<Export<Filters>> {
  await kind.expect?.(tx);
  const found = await findExport<Filters>(tx, { id: params.id, kinds: [kind.kind], now });
  if (found?.state !== "ready") throw new AppError("not_found");
  return found;
}

export const fileNameOf = ({ name }: Pick<StreamedKind, "name">, at: Date) =>
  `${name} ${saoPauloDate(at)}.csv`;

/** Returns the link, which is ready at once: the rows are read during the download. */
export async function readStreamed<Row, Filters>(tx: Tx, call: AboutOne, kind: StreamedKind<Row, Filters>) {
  const { id, created_at } = await getStreamed(tx, call, kind);
  const { base, below } = kind.path;
  return { link: `${bases[base]}${below}/${id}/file`, filename: fileNameOf(kind, created_at) };
}

export const downloadStreamed = <Row, Filters>(
  { db }: Pick<Services, "db">,
  call: CompanyCall & AboutOne,
  kind: StreamedKind<Row, Filters>,
) =>
  streamCsv<Row>(db, call, async () => {
    const { request, created_at } = await db.readCompany(call.actor.companyId, (tx) =>
      getStreamed(tx, call, kind),
    );
    return {
      fileName: fileNameOf(kind, created_at),
      headings: kind.headings,
      readAfter: (tx, last) => kind.rowsAfter(tx, request, last, created_at),
      cellsOf: kind.cellsOf,
    };
  });
