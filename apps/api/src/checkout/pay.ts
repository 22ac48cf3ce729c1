/** Charges the payer who opened a link. Amount and methods come from the link, never from the payer. */
import type * as contracts from "@malote/contracts/checkout";
import { saoPauloDate } from "@malote/domain/calendar";
import { isCardInTime, isCardNumber, isSecurityCode, readExpiry } from "@malote/domain/card";
import type { LateTerms } from "@malote/domain/late-charges";
import { isFullName, normalisePersonName } from "@malote/domain/person-name";
import { normaliseTaxId, taxIdKind } from "@malote/domain/tax-id";
import {
  type ChargeRequest,
  createCharge,
  findLink,
  findOpenBoleto,
  findPayin,
  type PayinRow,
} from "../payins/index.ts";
import { statusAt } from "../payment-links/index.ts";
import { AppError } from "../platform/app-error.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Tx } from "../platform/db/database.ts";
import { forEachInTurn } from "../platform/for-each-in-turn.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { beginTry, forgiveTry, networkOf, type Try } from "../session/index.ts";
import { chargeIdOf } from "./charge-id.ts";
import { getLink, type OpenLink, openLink, readMethodsOffered } from "./open.ts";
import { presentCharge } from "./present.ts";

type Body = Call<typeof contracts.payCheckout>["body"];
type Method = ChargeRequest["method"];

export async function payCheckout(
  services: Services,
  call: Call<typeof contracts.payCheckout>,
): Promise<contracts.CheckoutCharge> {
  const { body, params, now, request } = call;
  const open = await openLink(services, params.token, request.ip);
  const payer = payerOf(body);
  const { order, hasCharge } = await services.db.readCompany(open.companyId, async (tx) => {
    const isKnown = (await findCharge(tx, open, body.id)) !== undefined;
    const order = await buildOrder(tx, open, body, now, isKnown);
    const isNewBoleto = !isKnown && body.payment_method === "boleto";
    // A payer gets one boleto: a second one could be paid too.
    const openBoleto = isNewBoleto && (await findOpenBoleto(tx, open.id, payer, saoPauloDate(now)));
    return { order, hasCharge: isKnown || Boolean(openBoleto) };
  });
  const tries = hasCharge
    ? []
    : await beginTries(services, open, request.ip, order.method.kind === "credit_card");
  const charge = await createCharge(services, open.companyId, { ...order, payer }).catch(
    async (error: unknown) => {
      // Another payer was first, or the card was exchanged: no card was refused.
      if (error instanceof AppError) await forgive(services, tries);
      throw error;
    },
  );
  if (charge.status !== "unauthorized") await forgive(services, tries);
  await cancelIfSuperseded(services, open, now);
  // A payer who has an open boleto gets that one.
  const payersId = charge.id === order.id ? body.id : charge.id;
  return services.db.readCompany(open.companyId, (tx) => readCharge(tx, open, payersId));
}

/**
 * Counts new charges per payer's network, so that one payer cannot fill a link with them and others' charges do not
 * count against a payer. For cards, counts only refused ones, per network and per link, so that stolen cards cannot be
 * tested on it.
 */
async function beginTries(
  { db, clock }: Services,
  { id }: OpenLink,
  address: string,
  isCard: boolean,
): Promise<Try[]> {
  const now = realTime(clock).now();
  const network = networkOf(address);
  await beginTry(db, `${id} from ${network}`, address, now, "checkout-charge");
  if (!isCard) return [];
  const own = await beginTry(db, `${id} from ${network}`, address, now, "checkout-card");
  return [own, await beginTry(db, id, address, now, "checkout-cards")];
}

const forgive = (services: Services, tries: readonly Try[]) =>
  forEachInTurn(tries, (one) => services.db.withSystem((tx) => forgiveTry(tx, one)));

/** Cancels the charge when another payer paid or the link was deleted while it was made, so that it is not paid too. */
async function cancelIfSuperseded(services: Services, open: OpenLink, now: Date): Promise<void> {
  const { companyId, id: paymentLinkId } = open;
  const link = await services.db.readCompany(companyId, (tx) => findLink(tx, paymentLinkId));
  if (link && !link.removed && statusAt(link, now) !== "paid") return;
  await services.db.withCompany(companyId, (tx) =>
    services.jobs.enqueue(tx, "cancel-charges", { companyId, paymentLinkId }),
  );
}

/**
 * Finds a charge of this link by the payer's own id, or by the charge's id, which the company hands out for a second
 * copy and which cannot be guessed. Finds no charge of another link.
 */
async function findCharge(tx: Tx, open: OpenLink, payersId: string): Promise<PayinRow | undefined> {
  const payin = (await findPayin(tx, chargeIdOf(open, payersId))) ?? (await findPayin(tx, payersId));
  return payin?.payment_link_id === open.id && payin.charge_id !== null ? payin : undefined;
}

async function readCharge(tx: Tx, open: OpenLink, payersId: string): Promise<contracts.CheckoutCharge> {
  const payin = await findCharge(tx, open, payersId);
  if (!payin) throw new AppError("not_found");
  return presentCharge(tx, payin, payersId);
}

export async function readOwnCharge(
  services: Services,
  call: Call<typeof contracts.readCheckoutCharge>,
): Promise<contracts.CheckoutCharge> {
  const open = await openLink(services, call.params.token, call.request.ip);
  return services.db.readCompany(open.companyId, (tx) => readCharge(tx, open, call.params.id));
}

async function buildOrder(
  tx: Tx,
  open: OpenLink,
  body: Body,
  now: Date,
  isKnown: boolean,
): Promise<Omit<ChargeRequest, "payer">> {
  const link = await getLink(tx, open);
  // A known charge is returned again, even when it is the one that paid the link.
  const status = isKnown ? "active" : statusAt(link, now);
  if (status === "paid") throw new AppError("checkout_paid");
  if (status === "expired") throw new AppError("checkout_expired");
  if (!isKnown && !(await readMethodsOffered(tx, link)).includes(body.payment_method))
    throw new AppError("checkout_method_off");
  const due = link.boleto_due_days;
  return {
    id: chargeIdOf(open, body.id),
    paymentLinkId: link.id,
    amount: link.amount,
    description: link.name,
    method: methodOf(
      body,
      { dueDays: due ?? 1, late: link.late_terms, maxInstallments: link.max_installments ?? 1 },
      now,
    ),
  };
}

function methodOf(
  body: Body,
  terms: { dueDays: number; late: LateTerms | null; maxInstallments: number },
  now: Date,
): Method {
  switch (body.payment_method) {
    case "pix":
      return { kind: "pix" };
    case "boleto":
      return { kind: "boleto", dueInBusinessDays: terms.dueDays, late: terms.late };
    case "credit_card": {
      if (body.installments > terms.maxInstallments) throw invalid("parcelas");
      return { kind: "credit_card", installments: body.installments, card: cardOf(body.card, now) };
    }
  }
}

const invalid = (...fields: string[]) => new AppError("checkout_invalid", { fields });

/** Validates the payer: a company's name may be one word, a person's needs at least two. */
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
