/** A CSV that is written during the download, some rows at a time. */
import { finished, Readable } from "node:stream";
import { fetchedSheets } from "@malote/domain/limits";
import { AppError } from "../platform/app-error.ts";
import { companyPlaces } from "../platform/concurrency/company-places.ts";
import type { Database, Tx } from "../platform/db/database.ts";
import { fileTypes } from "../platform/files/file-types.ts";
import { sendFile } from "../platform/http/send-file.ts";
import type { CompanyCall } from "../platform/http/serve.ts";
import { slicesAfter, tablePieces } from "./table.ts";

interface StreamedCsv<Row> {
  fileName: string;
  headings: readonly string[];
  /** Returns the rows after `last`, and an empty list at the end. */
  readAfter(tx: Tx, last: Row | undefined): Promise<readonly Row[]>;
  cellsOf(row: Row): readonly string[];
}

const max = fetchedSheets.openMax;
const claimPlace = companyPlaces(max, () => new AppError("sheets_at_once", { max }));

/**
 * Streams a CSV. A company has a few open downloads at once, of any length. Each read of rows waits in the company's
 * queue separately, so that a slow download does not delay other calls.
 */
export async function streamCsv<Row>(
  db: Database,
  { actor, reply, inCompanyQueue }: CompanyCall,
  find: () => Promise<StreamedCsv<Row>>,
) {
  // The place is taken until the answer ends, also when it is refused or aborted.
  finished(reply.raw, claimPlace(actor.companyId));
  const { fileName, headings, readAfter, cellsOf } = await inCompanyQueue(find);
  const nextRows = (last: Row | undefined) =>
    inCompanyQueue(() => db.readCompany(actor.companyId, (tx) => readAfter(tx, last)));
  const content = Readable.from(
    tablePieces({ name: fileName, headings, slices: slicesAfter(nextRows), cellsOf }, "csv"),
  );
  return sendFile(reply, { name: fileName, type: fileTypes.csv, content });
}
