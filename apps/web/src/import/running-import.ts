/**
 * The import of this browser tab. It lives outside the page, so that visiting another screen neither stops an upload
 * nor loses a running import.
 */
import type { SheetColumn } from "@malote/contracts/import";
import { CallError, errorSentence } from "../shell/call.ts";
import { readSession, subscribeToSession } from "../shell/session.ts";
import { sendSheet, startReading, stopReading } from "./api.ts";
import { problemOfFile } from "./check-file.ts";

export interface ImportFailure {
  message: string;
  /** Columns that a person may assign when the sheet has an unknown layout. */
  sheet?: { id: string; columns: readonly SheetColumn[] } | undefined;
  requestId?: string | undefined;
}

export type RunningImport =
  | { kind: "idle" }
  | { kind: "uploading"; file: File; sent: number; total: number }
  /** The server is reading; `readSheet` returns the progress. No file after a reload of the page. */
  | { kind: "reading"; sheetId: string; file: File | undefined }
  | { kind: "failed"; file: File | undefined; failure: ImportFailure };

/** IMP-024, IMP-025: texts of a failed upload and import. */
const uploadFailedText = "Ocorreu um problema no upload da planilha.";
export const importFailedText =
  "Ocorreu um erro ao importar sua planilha, por favor, verifique os dados, caso o erro persistir, entre em contato.";

const idle: RunningImport = { kind: "idle" };

let current: RunningImport = idle;
/** Replaced by every start and cancel, so that results of an older run are dropped (IMP-006). */
let run = new AbortController();
const listeners = new Set<() => void>();

function show(next: RunningImport): void {
  current = next;
  if (next.kind === "reading") rememberSheet(next.sheetId);
  else if (next.kind !== "uploading") rememberSheet(undefined);
  for (const listener of listeners) listener();
}

/**
 * Sheet that was uploaded but may not be read yet. Choosing the same file again continues it: a new upload would create
 * a second batch of the same payments.
 */
let unanswered: { sheetId: string; file: File } | undefined;

const isSameFile = (a: File, b: File) =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

function arrivedBefore(file: File): string | undefined {
  const sheetId = unanswered && isSameFile(unanswered.file, file) ? unanswered.sheetId : undefined;
  unanswered = undefined;
  return sheetId;
}

/** True when no answer came, or one without information about the sheet. */
const saysNothing = (error: unknown) =>
  error instanceof CallError && (error.status === 0 || error.status >= 500);

/** Remembers the sheet for a return by the menu, whose address does not name it. Ends with the tab. */
const storageKey = "malote.import";

function rememberSheet(sheetId: string | undefined): void {
  if (sheetId) sessionStorage.setItem(storageKey, sheetId);
  else sessionStorage.removeItem(storageKey);
}

export const runningImport = {
  read: (): RunningImport => current,

  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  rememberedSheet: (): string | null => sessionStorage.getItem(storageKey),

  async start(file: File): Promise<void> {
    run.abort();
    const mine = new AbortController();
    run = mine;
    const isDropped = () => mine.signal.aborted;
    const problem = problemOfFile(file);
    if (problem) {
      show({ kind: "failed", file: undefined, failure: { message: problem } });
      return;
    }
    let failedText = uploadFailedText;
    let sheetId = arrivedBefore(file);
    try {
      show({ kind: "uploading", file, sent: 0, total: file.size });
      const onProgress = (sent: number, total: number) => {
        if (!isDropped()) show({ kind: "uploading", file, sent, total });
      };
      const id = sheetId ?? (await sendSheet(file, onProgress, mine.signal)).id;
      sheetId = id;
      if (isDropped()) {
        // The upload arrived after it was cancelled, so its reading is stopped.
        await stopReading(id).catch(() => undefined);
        return;
      }
      failedText = importFailedText;
      await startReading(id);
      if (isDropped()) {
        await stopReading(id).catch(() => undefined);
        return;
      }
      show({ kind: "reading", sheetId: id, file });
    } catch (error) {
      if (isDropped()) return;
      if (sheetId && saysNothing(error)) unanswered = { sheetId, file };
      show({ kind: "failed", file, failure: failureOf(error, failedText) });
    }
  },

  /** The page was reloaded or opened by a link: its address names the sheet. */
  follow(sheetId: string): void {
    if (current.kind === "reading" && current.sheetId === sheetId) return;
    run.abort();
    run = new AbortController();
    show({ kind: "reading", sheetId, file: undefined });
  },

  fail(failure: ImportFailure): void {
    show({ kind: "failed", file: current.kind === "idle" ? undefined : current.file, failure });
  },

  /** IMP-006: a batch that was created meanwhile stays a draft and is not opened. */
  async cancel(): Promise<void> {
    const before = current;
    run.abort();
    show(idle);
    // A sheet that has just finished can no longer be stopped, and the person need not know.
    if (before.kind === "reading") await stopReading(before.sheetId).catch(() => undefined);
  },

  reset(): void {
    run.abort();
    show(idle);
  },
};

// Another person or company uses this tab now, and must not see the earlier import.
const ownerOf = () => {
  const session = readSession();
  return session && `${session.sub} ${session.company.id}`;
};
let owner = ownerOf();
subscribeToSession(() => {
  const next = ownerOf();
  if (!next || next === owner) return;
  owner = next;
  unanswered = undefined;
  if (current.kind !== "idle") runningImport.reset();
});

export function failureOf(error: unknown, fallback: string): ImportFailure {
  // A missing answer has its own sentence; a server error gives no information about the sheet.
  const isUnknown = error instanceof CallError && error.status >= 500 && error.errorCode !== "unavailable";
  return {
    message: isUnknown ? fallback : (errorSentence(error, fallback) ?? fallback),
    requestId: error instanceof CallError ? error.requestId : undefined,
  };
}
