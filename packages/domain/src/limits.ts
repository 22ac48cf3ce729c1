import { type Cents, cents } from "./money.ts";

/** Methods of payment with a maximum of their own. */
export type PaymentMethod = "TED" | "PIX" | "TEV" | "BILLET";

/**
 * The maximum of one payment when the company's settings have neither one for its method nor one for Pix. Configuration
 * may replace it. Ten million reais is far above any single salary payment and far below a payroll's total with a
 * misplaced comma.
 */
export const defaultMaxCents: Readonly<Record<PaymentMethod, Cents>> = {
  TED: cents(10_000_000_00),
  PIX: cents(10_000_000_00),
  TEV: cents(10_000_000_00),
  BILLET: cents(10_000_000_00),
};

/** Returns the account's limit for the method, else its limit for Pix, else the shared default. */
export function maxCentsFor(
  method: PaymentMethod,
  accountLimits: Readonly<Partial<Record<PaymentMethod, Cents>>>,
  defaults: Readonly<Record<PaymentMethod, Cents>> = defaultMaxCents,
): Cents {
  return accountLimits[method] ?? accountLimits.PIX ?? defaults[method];
}

/**
 * The largest amount that a draft stores (R$ 900 million), so that a whole sheet still adds up exactly. A larger amount
 * is a typing error; it is reported and not stored as a number.
 */
export const draftValueMax = cents(900_000_000_00);

// Users
export const usersMax = 1_000;
/** E-mails with a password link per company and hour, because each may reach a person who did not ask for it. */
export const passwordEmailsPerHourMax = 50;

// Batches
export const batchNameMax = 200;
export const batchNameInWaitingTableMax = 30;
export const rejectReasonMax = 255;
export const paymentsShownAtOnce = 50;

// Transfers
export const pixDescriptionMax = 140;
export const integrationIdMax = 255;
export const transferCardTextMax = {
  name: 42,
  taxId: 18,
  pixKey: 42,
  agency: 10,
  account: 10,
  digit: 1,
} as const;
export const transferTableTextMax = { name: 40, account: 20, accountDetails: 40 } as const;
export const transferReportDaysMax = 31;

// Boletos
/** The stored length; the lists below show less. */
export const boletoDescriptionLengthMax = 255;
/** The maximum length of a wrong code, which is stored as typed so that it can be corrected. */
export const boletoCodeTypedMax = 100;
export const boletoDescriptionMax = { onCard: 45, inDetails: 125, inTable: 22 } as const;
export const boletoBatchNameInTableMax = 23;

// Spreadsheets
/** A sheet with one more row is refused with a clear text. */
export const sheetRowsMax = 100_000;
/** 100,000 rows of the model sheet are about 12 MB as CSV; larger files are refused before they are read. */
export const sheetBytesMax = 50 * 1024 * 1024;
/** Upload quota of one company. A payroll of a hundred branches stays far below it; a runaway loop does not. */
export const uploadQuota = {
  atOnceMax: 8,
  filesPerHourMax: 600,
  bytesPerHourMax: 4 * 1024 ** 3,
  bytesKeptMax: 20 * 1024 ** 3,
} as const;
/** Retention of unused files. */
export const sheetsKept = {
  /** A sheet that is still being read after this time, without a worker, is abandoned. */
  readingHours: 24,
  /** Files without a batch: refused, cancelled, or never imported. */
  unusedDays: 7,
  /** The file of a deleted batch is removed this long after its upload; otherwise it stays with its batch. */
  ofRemovedBatchDays: 30,
} as const;
/** Longer cells are cut, so that a broken cell cannot fill the database. */
export const sheetTextMax = {
  taxId: 25,
  name: 255,
  pixDescription: 255,
  email: 255,
  agency: 30,
  agencyDigit: 10,
  account: 30,
  accountDigit: 10,
} as const;

// Receipts
export const exportsKept = {
  /** Lifetime of the link in an e-mail; its file is deleted after that. */
  days: 7,
  /** A file that is still being generated after this time, without a worker, is abandoned. */
  makingHours: 1,
} as const;

export const receiptExports = {
  /** Files of one company generated at the same time: each may hold a hundred thousand receipts. */
  atOnceMax: 3,
  inOneFileMax: 100_000,
} as const;

// Reports
export const reportExports = { atOnceMax: 5 } as const;
/** Limits of files that are written while they are fetched, without a job. */
export const fetchedSheets = {
  /** Hours during which a requested file can be fetched. */
  keptHours: 24,
  /** The maximum number of requests per company and kind in that time. */
  requestsMax: 200,
  /**
   * The maximum number of requests per person and hour, over all kinds and including repeats, because each adds an
   * entry to the audit trail.
   */
  requestsPerHourMax: 30,
  /** The maximum number of concurrent downloads per company and process. */
  openMax: 5,
} as const;
export const statementReportDaysMax = 366;
/** About two thousand pages. Longer periods are for programs, which use the other formats. */
export const statementPdfEntriesMax = 50_000;

// Lists
export const pageSize = 50;
/**
 * The maximum count of an unbounded list: larger lists are not counted and not paged by number, because page five
 * thousand has no reader.
 */
export const countedMax = 10_000;
export const contestationPageSizes = [10, 20, 30, 50, 100] as const;
export const validationHistoryPageSize = 12;

// Failed payments of a batch
/** The maximum in the list of failures; the batch's own list pages through the others. */
export const failuresShownMax = 500;
/** The maximum that one call resends or returns, in one transaction. */
export const failuresAtOnce = 100;

// Contestations
export const attachmentBytesMax = 15_728_640;
/** Minutes for which the address of an attachment opens (MED-006). */
export const signedFileMinutes = 15;
export const fileNameMax = 30;
export const endToEndIdShownMax = 8;
export const infractionExports = { atOnceMax: 3 } as const;

// Pix keys
export const pixKeysMax = 20;
export const pixKeysInFundingMax = 3;
export const pixKeyInFundingTextMax = 46;
export const accountInFundingTextMax = 50;
export const payinIdShownMax = 20;

// Frame
export const incidentTextMax = 120;
