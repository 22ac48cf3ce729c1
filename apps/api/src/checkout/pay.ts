/** Charging whoever opened a link. What they pay, and how they may, is the link's word and never theirs. */
import type { CheckoutCharge, payCheckout, readCheckoutCharge } from "@malote/contracts/checkout";
import { saoPauloDate } from "@malote/domain/calendar";
import { isCardInTime, isCardNumber, isSecurityCode, readExpiry } from "@malote/domain/card";
import { isFullName, normalisePersonName } from "@malote/domain/person-name";
import { normaliseTaxId, taxIdKind } from "@malote/domain/tax-id";
import { type ChargeRequest, createCharge, findPayin, type PayinRow } from "../payins/index.ts";
import { findLink, statusAt } from "../payment-links/index.ts";
import { AppError } from "../platform/app-error.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { beginTry } from "../session/index.ts";
import { chargeIdOf } from "./charge-id.ts";
import { getLink, methodsOffered, type OpenLink, openLink } from "./open.ts";
import { presentCharge } from "./present.ts";

type Body = Call<typeof payCheckout>["body"];
type Method = ChargeRequest["method"];

export async function pay(parts: Parts, call: Call<typeof payCheckout>): Promise<CheckoutCharge> {
  const { body, params, now, request } = call;
  const open = await openLink(parts, params.token, request.ip);
  const payer = payerOf(body);
  const { order, isKnown } = await parts.db.readCompany(open.companyId, async (tx) => {
    const isKnown = (await findCharge(tx, open, body.id)) !== undefined;
    return { order: await orderOf(tx, open, body, now, isKnown), isKnown };
  });
  // Each new one counts, also what went well: a link is paid once, and nobody tries cards on it.
  if (!isKnown)
    await beginTry(
      parts.db,
      `charge of link ${open.id}`,
      request.ip,
      realTime(parts.clock).now(),
      "checkout-charge",
    );
  await createCharge(parts, open.companyId, { ...order, payer });
  await cancelWhatCameTooLate(parts, open, now);
  return parts.db.readCompany(open.companyId, (tx) => readCharge(tx, open, body.id));
}

/** Somebody else paid, or the link was deleted, while this charge was made: it had better not be paid too. */
async function cancelWhatCameTooLate(parts: Parts, open: OpenLink, now: Date): Promise<void> {
  const { companyId, id: paymentLinkId } = open;
  const link = await parts.db.readCompany(companyId, (tx) => findLink(tx, paymentLinkId));
  if (link && !link.removed && statusAt(link, now) !== "paid") return;
  await parts.db.withCompany(companyId, (tx) =>
    parts.jobs.enqueue(tx, "cancel-charges", { companyId, paymentLinkId }),
  );
}

/** By the payer's own id, and of the link alone: another link's charge is not there. */
async function findCharge(tx: Tx, open: OpenLink, payersId: string): Promise<PayinRow | undefined> {
  const payin = await findPayin(tx, chargeIdOf(open, payersId));
  return payin?.payment_link_id === open.id && payin.charge_id !== null ? payin : undefined;
}

async function readCharge(tx: Tx, open: OpenLink, payersId: string): Promise<CheckoutCharge> {
  const payin = await findCharge(tx, open, payersId);
  if (!payin) throw new AppError("not_found");
  return presentCharge(tx, payin, payersId);
}

export async function readOwnCharge(
  parts: Parts,
  call: Call<typeof readCheckoutCharge>,
): Promise<CheckoutCharge> {
  const open = await openLink(parts, call.params.token, call.request.ip);
  return parts.db.readCompany(open.companyId, (tx) => readCharge(tx, open, call.params.id));
}

async function orderOf(
  tx: Tx,
  open: OpenLink,
  body: Body,
  now: Date,
  isKnown: boolean,
): Promise<Omit<ChargeRequest, "payer">> {
  const link = await getLink(tx, open);
  // A charge that was made is told again, also when it is what paid the link.
  const status = isKnown ? "active" : statusAt(link, now);
  if (status === "paid") throw new AppError("checkout_paid");
  if (status === "expired") throw new AppError("checkout_expired");
  if (!(await methodsOffered(tx, link)).includes(body.payment_method))
    throw new AppError("checkout_method_off");
  const due = link.boleto_due_days;
  return {
    id: chargeIdOf(open, body.id),
    paymentLinkId: link.id,
    amount: link.amount,
    description: link.name,
    method: methodOf(body, { dueDays: due ?? 1, maxInstallments: link.max_installments ?? 1 }, now),
  };
}

function methodOf(body: Body, terms: { dueDays: number; maxInstallments: number }, now: Date): Method {
  switch (body.payment_method) {
    case "pix":
      return { kind: "pix" };
    case "boleto":
      return { kind: "boleto", dueInBusinessDays: terms.dueDays };
    case "credit_card": {
      if (body.installments > terms.maxInstallments) throw invalid("parcelas");
      return { kind: "credit_card", installments: body.installments, card: cardOf(body.card, now) };
    }
  }
}

const invalid = (...fields: string[]) => new AppError("checkout_invalid", { fields });

/** A company may be known by one word, a person by two at least. */
function payerOf({ payer }: Body): ChargeRequest["payer"] {
  const name = normalisePersonName(payer.name);
  const kind = taxIdKind(payer.cpf_cnpj);
  const isName = kind === "CNPJ" ? name.length >= 2 : isFullName(name);
  if (!kind || !isName) throw invalid(...(isName ? [] : ["nome completo"]), ...(kind ? [] : ["CPF ou CNPJ"]));
  return { name, taxId: normaliseTaxId(payer.cpf_cnpj) };
}

type TypedCard = Extract<Body, { payment_method: "credit_card" }>["card"];

function cardOf(typed: TypedCard, now: Date): Extract<Method, { kind: "credit_card" }>["card"] {
  const number = typed.number.replace(/\D/g, "");
  const holder = normalisePersonName(typed.holder_name);
  const expiry = readExpiry(typed.expiry);
  const isInTime = expiry !== undefined && isCardInTime(expiry, saoPauloDate(now));
  const wrong = [
    ...(isCardNumber(number) ? [] : ["número do cartão"]),
    ...(holder.length >= 2 ? [] : ["nome impresso no cartão"]),
    ...(isInTime ? [] : ["validade"]),
    ...(isSecurityCode(typed.security_code, number) ? [] : ["código de segurança"]),
  ];
  if (wrong.length > 0 || !expiry) throw invalid(...wrong);
  return { number, holder, expiry, securityCode: typed.security_code };
}
