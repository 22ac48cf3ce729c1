/** Test payments as people draft them, valid in everything a test does not change. */
import type { CalendarDate } from "../calendar.ts";
import { issueText } from "../issues.ts";
import { cents } from "../money.ts";
import { checkTransfer, type TransferDraft, type TransferFacts } from "../transfer.ts";

export const itau = "60701190";

export const buildTed = (changes: Partial<TransferDraft> = {}): TransferDraft => ({
  name: "Padaria Três Irmãos Ltda",
  taxId: "12ABC34501DE35",
  email: null,
  bankIspb: itau,
  agency: "1234",
  agencyDigit: null,
  account: "12345",
  accountDigit: "1",
  accountType: "CONTA_CORRENTE",
  pixKeyType: null,
  pixKey: null,
  pixKeyValidation: null,
  value: 100_00,
  paymentDate: null,
  pixDescription: null,
  integrationId: null,
  ...changes,
});

export const noAccount = {
  bankIspb: null,
  agency: null,
  account: null,
  accountDigit: null,
  accountType: null,
} as const;

export const buildPix = (changes: Partial<TransferDraft> = {}): TransferDraft =>
  buildTed({ ...noAccount, pixKeyType: "TELEFONE", pixKey: "+5511987654321", ...changes });

// Returns the facts of a Wednesday morning.
export const buildFacts = (changes: Partial<TransferFacts> = {}): TransferFacts => ({
  today: "2026-11-18" as CalendarDate,
  now: "10:00:00",
  maxCents: { TED: cents(1_000_00), PIX: cents(500_00), TEV: cents(2_000_00) },
  blocked: () => false,
  publicEntityNeedsCaixa: true,
  ...changes,
});

/** Returns `field text` of every error, in the words of a card. */
export function errorsOf(draft: TransferDraft, facts = buildFacts()): string[] {
  return checkTransfer(draft, facts).errors.map((issue) => `${issue.field}: ${issueText(issue)}`);
}
