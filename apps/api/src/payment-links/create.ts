/** Adds payment links (LNK-012 to LNK-022). */
import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type * as contracts from "@malote/contracts/payment-links";
import { parseDate, saoPauloDate } from "@malote/domain/calendar";
import {
  type FineType,
  type InterestType,
  isFixed,
  type LateTerms,
  valueOfPercent,
} from "@malote/domain/late-charges";
import { cents } from "@malote/domain/money";
import { instalmentsMaxFor, type LinkTerms, linkMethods, refusalOfLink } from "@malote/domain/payment-link";
import { chargeFunctionOf } from "@malote/domain/suspended-functions";
import { readCompany, requireFunction } from "../company/index.ts";
import { findLink, insertLink, type LinkRow } from "../payins/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { originOf } from "../platform/http/brand.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { linkOf } from "./present.ts";

export async function createPaymentLink(
  tx: Tx,
  call: Call<typeof contracts.createPaymentLink>,
  { config }: Pick<Services, "config">,
): Promise<contracts.PaymentLink> {
  const { body, now } = call;
  const id = body.id ?? uuidv7(now.getTime());
  const terms = termsOf(body);
  const name = body.name.toWellFormed();
  const description = body.description?.toWellFormed() || null;
  const company = await readCompany(tx);
  const before = await findLink(tx, id);
  if (!before) {
    const facts = { ...company.settings, today: saoPauloDate(now) };
    const refusal = refusalOfLink(terms, facts);
    if (refusal) throw new AppError(refusal, { max: instalmentsMaxFor(terms.amount) });
    for (const method of terms.methods) await requireFunction(tx, chargeFunctionOf[method]);
    // 128 bits, so that the address cannot be guessed.
    const token = randomBytes(16).toString("base64url");
    if (await insertLink(tx, { id, token, name, description, terms, now })) {
      await audit(tx, call, "payment_link_created", id, { name, ...terms });
    }
  }
  const row = before ?? (await findLink(tx, id));
  // The link was deleted meanwhile, or belongs to another company.
  if (!row || row.removed) throw new AppError("not_found");
  if (!isSame(row, { name, description, ...terms })) throw new AppError("idempotency_key_reused");
  return linkOf(row, originOf(config, company.brand), now);
}

/**
 * Returns the terms in canonical form: methods that were not chosen have no details, and each method occurs once, in
 * our order.
 */
function termsOf(body: Call<typeof contracts.createPaymentLink>["body"]): LinkTerms {
  const { boleto, credit_card } = body.payment_method_details ?? {};
  const methods = linkMethods.filter((method) => body.payment_methods.includes(method));
  const expiresOn = parseDate(saoPauloDate(new Date(body.expires_at)));
  if (!expiresOn) throw new AppError("invalid_request", { fields: ["expires_at"] });
  return {
    amount: cents(body.amount),
    expiresOn,
    methods,
    late: methods.includes("boleto") && boleto ? lateOf(boleto) : null,
    boletoDueDays: methods.includes("boleto") ? (boleto?.due_days ?? null) : null,
    maxInstallments: methods.includes("credit_card") ? (credit_card?.max_installments ?? 1) : null,
  };
}

type Given = { type: string; amount?: number | undefined; percent?: number | undefined };

/** Returns a rate with only its own field: a fixed one with its amount, a percentage with its percent. */
function rateOf<Type extends InterestType | FineType>(given: (Given & { type: Type }) | undefined) {
  if (!given) return null;
  const { type, amount, percent } = given;
  const value = isFixed(type) ? amount : percent && valueOfPercent(percent);
  const isMixed = (isFixed(type) ? percent : amount) !== undefined;
  if (!value || isMixed) throw new AppError("payment_link_rate_invalid");
  return { type, value };
}

function lateOf({ interest, fine }: Pick<Boleto, "interest" | "fine">): LateTerms | null {
  return interest || fine ? { interest: rateOf(interest), fine: rateOf(fine) } : null;
}
type Boleto = NonNullable<
  NonNullable<Call<typeof contracts.createPaymentLink>["body"]["payment_method_details"]>["boleto"]
>;

const isSame = (row: LinkRow, terms: LinkTerms & Pick<LinkRow, "name" | "description">): boolean =>
  row.name === terms.name &&
  row.description === terms.description &&
  row.amount === terms.amount &&
  row.expires_on === terms.expiresOn &&
  row.payment_methods.join() === terms.methods.join() &&
  row.boleto_due_days === terms.boletoDueDays &&
  isDeepStrictEqual(row.late_terms, terms.late) &&
  row.max_installments === terms.maxInstallments;
