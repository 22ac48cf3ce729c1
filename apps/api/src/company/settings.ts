import type { CompanySettings } from "@malote/contracts/company";
import type { PaymentType } from "@malote/domain/limits";
import { type Cents, cents } from "@malote/domain/money";
import type { SumPeriod } from "@malote/domain/payment-limits";

/** Computed from the controls in force, never stored here. */
type OfControls = "operatorsMayCorrect" | "operatorsMayGiveBack" | "asksForApprovals" | "approvesBatches";

/** The settings as stored: those for the screens, and those for the server only. */
export interface StoredSettings extends Omit<CompanySettings, "accountLimits" | OfControls> {
  /** The most that one payment may move, by type (SES-074). */
  accountLimits: Record<PaymentType, Cents>;
  /** Sums by period that the company set for itself; where it did not, the installation's hold. */
  periodLimits?: Partial<Record<SumPeriod, Partial<Record<PaymentType, Cents>>>>;
  /** No person of the company works without a second factor (SES-046). */
  requiresTwoFactor: boolean;
  /** The setting in force until the company saves its first controls. */
  requiresOtherApprover: boolean;
}

/** How a company begins. */
export const firstSettings: StoredSettings = {
  // Off until an admin turns it on: it changes where money goes.
  acceptContaCertaSuggestions: false,
  validationAccount: false,
  accountLimits: {
    PIX: cents(250_000_00),
    TED: cents(250_000_00),
    TEV: cents(250_000_00),
    BILLET: cents(250_000_00),
  },
  hasIntegrationId: true,
  blockWithdrawForOperator: false,
  showFinanceInfo: true,
  hasBoletoCharge: true,
  hasCardCharge: false,
  uses_basic_validation: true,
  uses_micro_deposit: false,
  replyToEmail: null,
  emailsPayees: false,
  hasApiAccess: true,
  apiAccessToken: null,
  requiresOtherApprover: false,
  publicEntityNeedsCaixa: true,
  requiresTwoFactor: false,
};
