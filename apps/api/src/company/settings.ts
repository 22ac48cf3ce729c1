import type { CompanySettings } from "@malote/contracts/company";
import type { PaymentMethod } from "@malote/domain/limits";
import { type Cents, cents } from "@malote/domain/money";
import type { SumPeriod } from "@malote/domain/payment-limits";

/** Settings that are computed from the controls in force and never stored here. */
type OfControls = "operatorsMayCorrect" | "operatorsMayGiveBack" | "asksForApprovals" | "approvesBatches";

/** Stored settings: those that screens show and those that only the server uses. */
export interface StoredSettings extends Omit<CompanySettings, "accountLimits" | OfControls> {
  /** Maximum amount of one payment, by type (SES-074). */
  accountLimits: Record<PaymentMethod, Cents>;
  /** Limits per period that the company set itself; the installation's limits apply otherwise. */
  periodLimits?: Partial<Record<SumPeriod, Partial<Record<PaymentMethod, Cents>>>>;
  /** True when every user of the company needs a second factor (SES-046). */
  requiresTwoFactor: boolean;
  /** True when another person must approve; in force until the company saves its first controls. */
  requiresOtherApprover: boolean;
}

/** Settings of a new company. */
export const firstSettings: StoredSettings = {
  // Off until an admin enables it, because it changes where money goes.
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
