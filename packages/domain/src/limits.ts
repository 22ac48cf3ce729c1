import { type Cents, cents } from "./money.ts";

/** The kinds of payment that have a maximum of their own. */
export type PaymentType = "TED" | "PIX" | "TEV" | "BILLET";

/**
 * The maximum of one payment when the company's settings give none, neither for its type nor for Pix. Configuration
 * may replace it. Ten million reais is far above any single salary payment and far below a payroll's total with a
 * misplaced comma.
 */
export const defaultMaxCents: Readonly<Record<PaymentType, Cents>> = {
  TED: cents(10_000_000_00),
  PIX: cents(10_000_000_00),
  TEV: cents(10_000_000_00),
  BILLET: cents(10_000_000_00),
};

/** The account's limit for the type wins, Pix's replaces a missing one, and the shared default comes last. */
export function maxCentsFor(
  type: PaymentType,
  accountLimits: Readonly<Partial<Record<PaymentType, Cents>>>,
  defaults: Readonly<Record<PaymentType, Cents>> = defaultMaxCents,
): Cents {
  return accountLimits[type] ?? accountLimits.PIX ?? defaults[type];
}

/**
 * The largest amount a draft stores (R$ 900 million), so that a whole sheet of them still adds up exactly. A larger
 * one is a typing error; it is reported and not stored as a number.
 */
export const draftValueMax = cents(900_000_000_00);

// Users
export const usersMax = 1_000;
/**
 * E-mails with a link to choose a password, of one company in an hour: each may reach a person who never asked for
 * it.
 */
export const passwordEmailsPerHourMax = 50;

// Batches
export const batchNameMax = 200;
export const batchNameInWaitingTableMax = 30;
export const reproveReasonMax = 255;
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
/** What is kept; the lists below show less. */
export const boletoDescriptionLengthMax = 255;
/** A wrong code is kept as it was typed, so that it can be corrected, up to this. */
export const boletoCodeTypedMax = 100;
export const boletoDescriptionMax = { onCard: 45, inDetails: 125, inTable: 22 } as const;
export const boletoBatchNameInTableMax = 23;

// Spreadsheets
/** One more row is refused with a clear text. */
export const sheetRowsMax = 100_000;
/** 100,000 rows of the model sheet are about 12 MB as CSV; hostile files are stopped before they are read. */
export const sheetBytesMax = 50 * 1024 * 1024;
/** What one company may send and keep. A payroll of a hundred branches stays far below; a loop gone wild does not. */
export const uploadQuota = {
  atOnceMax: 8,
  filesPerHourMax: 600,
  bytesPerHourMax: 4 * 1024 ** 3,
  bytesKeptMax: 20 * 1024 ** 3,
} as const;
/** How long unused files are kept. */
export const sheetsKept = {
  /** A sheet still in reading after this, without a worker reading it, is abandoned. */
  readingHours: 24,
  /** Files that became no batch: refused, cancelled, or never imported. */
  unusedDays: 7,
  /** The file of a batch goes this long after the upload when the batch was deleted; until then it stays with its batch. */
  ofRemovedBatchDays: 30,
} as const;
/** Longer cells are cut, so that one broken cell cannot fill the database. */
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
  /** How long the link of an e-mail works; after that its file is deleted. */
  days: 7,
  /** A file still in making after this, without a worker making it, is abandoned. */
  makingHours: 1,
} as const;

export const receiptExports = {
  /** Files of one company being made at once: each may hold a hundred thousand receipts. */
  atOnceMax: 3,
  inOneFileMax: 100_000,
} as const;

// Reports
export const reportExports = { atOnceMax: 5 } as const;
/** Of those that are written while they are fetched, which no job makes. */
export const fetchedSheets = {
  /** How long one that was asked for can be fetched. */
  keptHours: 24,
  /** Of a company and kind in that time. */
  askedMax: 200,
  /** Of a person in an hour, of all kinds, the same one again counted: each is an entry of the trail. */
  askedPerHourMax: 30,
  /** Of a company and process, being fetched together. */
  openMax: 5,
} as const;
export const statementReportDaysMax = 366;
/** Some two thousand pages. Longer periods are for programs, which use the other formats. */
export const statementPdfEntriesMax = 50_000;

// Lists
export const pageSize = 50;
/** Of an unbounded list: more are not counted, and not paged by number, since page five thousand has no reader. */
export const countedMax = 10_000;
export const contestationPageSizes = [10, 20, 30, 50, 100] as const;
export const validationHistoryPageSize = 12;

// Failed payments of a batch
/** Listed in one place; the batch's own list has the others by page. */
export const failuresShownMax = 500;
/** Sent again or given back by one call, which is one transaction. */
export const failuresAtOnce = 100;

// Contestations
export const attachmentBytesMax = 15_728_640;
/** MED-006: how long the address of an attachment opens. */
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
