import {
  cancelSheet,
  downloadModelSheet,
  importSheet,
  readSheet,
  type Sheet,
  type SheetField,
  type SheetKind,
  uploadSheet,
} from "@malote/contracts/import";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import type { UploadProgress } from "../shell/upload.ts";

/** Small sheets are read within a second, large ones take a while: polls are frequent first, then slower. */
const quickLooks = 4;
const quickMs = 300;
const calmMs = 1_000;

export const isRunning = ({ state }: Pick<Sheet, "state">) => state === "uploaded" || state === "reading";

export function sheetQuery(id: string) {
  return queryOptions({
    queryKey: ["sheet", id],
    queryFn: ({ signal }) => call(readSheet, { params: { id }, signal }),
    gcTime: 0,
    refetchInterval: ({ state }) => {
      // An error stops the polling (SES-070); the person starts it again.
      if (state.status === "error" || (state.data && !isRunning(state.data))) return false;
      return state.dataUpdateCount <= quickLooks ? quickMs : calmMs;
    },
    // A tab in the background keeps polling, because its title announces when the batch is ready.
    refetchIntervalInBackground: true,
  });
}

export function sendSheet(file: File, onUploadProgress: UploadProgress, signal: AbortSignal): Promise<Sheet> {
  const body = new FormData();
  // Sends the fields before the file, so that the server knows the name when the bytes begin to arrive.
  body.append("fileName", file.name);
  body.append("file", file);
  return call(uploadSheet, { body, onUploadProgress, signal });
}

export const startReading = (id: string) => call(importSheet, { body: { sheet_id: id } });

/** Columns as a person assigned them; the server reads the sheet again with them. */
export const readWithColumns = (
  id: string,
  columns: readonly { column: number; field: SheetField | null }[],
): Promise<Sheet> => call(importSheet, { body: { sheet_id: id, columns: [...columns] } });

export const stopReading = (id: string) => call(cancelSheet, { params: { id } });

export const readModelSheet = (kind: SheetKind, format: "xlsx" | "csv"): Promise<Blob> =>
  call(downloadModelSheet, { params: { kind }, query: { format } });
