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

/** Small sheets are done within a second, large ones take a while: frequent polls first, then slower ones. */
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
    // A tab in the background keeps polling: its title says when the batch is ready.
    refetchIntervalInBackground: true,
  });
}

export function sendSheet(file: File, onUploadProgress: UploadProgress, signal: AbortSignal): Promise<Sheet> {
  const body = new FormData();
  // Fields before the file: the server knows the name when the bytes begin to arrive.
  body.append("fileName", file.name);
  body.append("file", file);
  return call(uploadSheet, { body, onUploadProgress, signal });
}

export const startReading = (id: string) => call(importSheet, { body: { sheet_id: id } });

/** What each column holds, by a person's word: the sheet is read anew by it. */
export const readWithColumns = (
  id: string,
  columns: readonly { column: number; field: SheetField | null }[],
): Promise<Sheet> => call(importSheet, { body: { sheet_id: id, columns: [...columns] } });

export const stopReading = (id: string) => call(cancelSheet, { params: { id } });

export const readModelSheet = (kind: SheetKind, format: "xlsx" | "csv"): Promise<Blob> =>
  call(downloadModelSheet, { params: { kind }, query: { format } });
