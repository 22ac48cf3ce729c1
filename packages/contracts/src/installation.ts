/** Decisions of the installation's operator: a company's options, and notices to all companies. */
import * as z from "zod";
import { featureFlags, permissions } from "./policy.ts";
import { id, instant, webAddress } from "./wire.ts";

/** `all`, or the company's codes; an empty list suspends everything except reading (SES-058). */
const permissionList = z.union([z.tuple([z.literal("all")]), z.array(z.enum(permissions))]);

export const companyOptions = z.object({
  /**
   * True when the company is blocked: no payment leaves its account and no money is added. Outgoing payments wait; only
   * the refund of a contested Pix, after four days of silence or already under way, continues (decision 0022).
   */
  blocked: z.boolean(),
  /** True when the company accepted the contract with the provider, which every batch requires. */
  accepted_contract: z.boolean(),
  permissions: permissionList,
  feature_flags: z.array(z.enum(featureFlags)),
  /** Centavos per payment that arrived; null: the installation's price; 0: no invoices. */
  payment_price: z.int().min(0).max(1_000_00).nullable(),
  /**
   * True when closing asks for no funding and no balance is shown; a batch still waits until its money is on the
   * balance.
   */
  validationAccount: z.boolean(),
  hasIntegrationId: z.boolean(),
  blockWithdrawForOperator: z.boolean(),
  showFinanceInfo: z.boolean(),
  hasBoletoCharge: z.boolean(),
  hasCardCharge: z.boolean(),
  uses_basic_validation: z.boolean(),
  uses_micro_deposit: z.boolean(),
  hasApiAccess: z.boolean(),
  /** The old API key, shown until the company replaces it by credentials (DEV-009); null: none. */
  apiAccessToken: z.string().trim().min(1).max(200).nullable(),
  publicEntityNeedsCaixa: z.boolean(),
  /** True when every person of the company must use a second factor (SES-046). */
  requiresTwoFactor: z.boolean(),
});
export type CompanyOptions = z.infer<typeof companyOptions>;

export const noticeKinds = ["incident", "maintenance"] as const;

/** A notice: an incident is open until it ends; a maintenance has fixed hours. */
export const notice = z.object({
  id,
  kind: z.enum(noticeKinds),
  name: z.string(),
  link: webAddress,
  starts_at: instant,
  ends_at: instant.nullable(),
});
export type Notice = z.infer<typeof notice>;

const noticeText = { name: z.string().trim().min(1).max(500), link: webAddress };
export const newNotice = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("incident"), ...noticeText }),
  z
    .object({ kind: z.literal("maintenance"), ...noticeText, starts_at: instant, ends_at: instant })
    .refine(({ starts_at, ends_at }) => starts_at < ends_at, { path: ["ends_at"] }),
]);
export type NewNotice = z.infer<typeof newNotice>;
