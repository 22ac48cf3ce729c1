import { errorReportsAtOnceMax, reportErrors } from "@malote/contracts/error-reports";
import { baseOf } from "./api-bases.ts";

/** Failure report, without anything a customer typed (SES-063). */
export interface FailureReport {
  callId: string;
  status: number;
  code?: string | undefined;
  requestId?: string | undefined;
}

/** Collects failures that happen together into one message. */
const gatherMs = 1_000;
/** Limit per page and hour: a list that fails each second is known after a few reports. */
const perHourMax = 200;
const hourMs = 3_600_000;

/** Undefined until the brand shows whether the installation has a service for it; failures wait until then. */
let isListening: boolean | undefined;
let waiting: FailureReport[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let sentThisHour = { since: 0, count: 0 };

/** The server's environment decides whether failures are reported (`MALOTE_ERROR_REPORT_URL`); without it none are. */
export function listenToFailures(listens: boolean | undefined): void {
  isListening = listens;
  if (listens === false) waiting = [];
  else if (listens && waiting.length > 0) soon();
}

export function reportFailure(report: FailureReport): void {
  const isFailure = report.status >= 400 && report.status <= 599;
  if (isListening === false || !isFailure || waiting.length >= errorReportsAtOnceMax) return;
  waiting.push(report);
  if (isListening) soon();
}

function soon(): void {
  timer ??= setTimeout(() => void send(), gatherMs);
}

/** Sent without `call`, so that a failed report is not reported. Sent also when the page is being left. */
async function send(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const now = Date.now();
  if (now - sentThisHour.since >= hourMs) sentThisHour = { since: now, count: 0 };
  const reports = waiting.slice(0, perHourMax - sentThisHour.count);
  waiting = [];
  if (reports.length === 0) return;
  sentThisHour.count += reports.length;
  const body = {
    reports: reports.map(({ callId, status, code, requestId }) => ({
      call: callId,
      status,
      ...(code && { code }),
      ...(isUuid(requestId) && { request_id: requestId }),
    })),
  };
  await fetch(`${baseOf(reportErrors.base)}${reportErrors.path}`, {
    method: reportErrors.method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    credentials: "omit",
    keepalive: true,
  }).catch(() => undefined);
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isUuid = (text: string | undefined): text is string => text !== undefined && uuidPattern.test(text);

if (typeof window !== "undefined") {
  window.addEventListener("pagehide", () => {
    if (isListening && waiting.length > 0) void send();
  });
}
