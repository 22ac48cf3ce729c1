import type { Sheet } from "@malote/contracts/import";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { counted, formatCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { sheetQuery, startReading } from "./api.ts";
import { ProgressBox } from "./progress-box.tsx";
import { failureOf, importFailedText, runningImport } from "./running-import.ts";

interface ReadingProgressProps {
  sheetId: string;
  fileName: string | undefined;
  onImported: (batchId: string) => void;
  onCancel: () => void;
}

/** Polls the progress of the server's reading until there is a result to show. */
export function ReadingProgress({ sheetId, fileName, onImported, onCancel }: ReadingProgressProps) {
  const sheet = useQuery(sheetQuery(sheetId));
  const { data, error } = sheet;
  const hasStarted = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the sheet is the cause, not a new callback
  useEffect(() => {
    if (!data) return;
    if (data.state === "imported") {
      if (data.batch_id) onImported(data.batch_id);
      // The batch was deleted, so an old address opens nothing.
      else runningImport.reset();
    }
    if (data.state === "refused") runningImport.fail(refusalOf(data));
    if (data.state === "cancelled") runningImport.reset();
    // The page was closed between the upload and the request for its batch.
    if (data.state === "uploaded" && !hasStarted.current) {
      hasStarted.current = true;
      startReading(data.id).catch((failure) => runningImport.fail(failureOf(failure, importFailedText)));
    }
  }, [data]);

  // The sheet belongs to another company or was removed, so there is nothing to follow.
  const isGone = error instanceof CallError && (error.status === 404 || error.status === 403);
  useEffect(() => {
    if (isGone) runningImport.reset();
  }, [isGone]);

  return (
    <ProgressBox
      fileName={data?.file_name ?? fileName}
      status={statusOf(data)}
      part={data?.rows_total ? data.rows_read / data.rows_total : undefined}
      onCancel={onCancel}
    >
      {sheet.isError && !isGone ? (
        <Notice
          tone="yellow"
          action={
            <Button size="sm" busy={sheet.isFetching} onClick={() => void sheet.refetch()}>
              Tentar de novo
            </Button>
          }
        >
          {errorSentence(error)} A leitura continua no servidor.
        </Notice>
      ) : null}
    </ProgressBox>
  );
}

function statusOf(sheet: Sheet | undefined): string {
  if (!sheet || sheet.rows_read === 0) return "Lendo a planilha…";
  const { rows_read: read, rows_total: total } = sheet;
  return total
    ? `${formatCount(read)} de ${counted(total, "linha lida", "linhas lidas")}`
    : counted(read, "linha lida", "linhas lidas");
}

const refusalOf = ({ id, refusal, columns }: Sheet) => ({
  message: refusal?.message || importFailedText,
  sheet: columns ? { id, columns } : undefined,
});
