/** What went wrong, without anything a customer typed (SES-063). */
export interface FailureReport {
  callId: string;
  status: number;
  code?: string | undefined;
  requestId?: string | undefined;
}

export type FailureReporter = (report: FailureReport) => void;

let reporter: FailureReporter | undefined;

/** The environment decides which service listens; without one nothing is reported. */
export function setFailureReporter(next: FailureReporter | undefined): void {
  reporter = next;
}

export function reportFailure(report: FailureReport): void {
  reporter?.(report);
}
