/**
 * Checkout page of a payment link. The payer has no account, only the link's address. Amount and payment methods come
 * from the link; payers enter who they are and how they pay, never how much (decision 0021).
 */
import { instalmentsMax, linkMethods, linkStatuses } from "@malote/domain/payment-link";
import * as z from "zod";
import { contract } from "./contract.ts";
import type { Policy } from "./policy.ts";
import { centavos, date, id, instant } from "./wire.ts";

const policy = { access: "public" } as const satisfies Policy;

/** The last part of the link's address. The server answers an invalid token like an unknown link. */
const byToken = z.object({ token: z.string().max(100) });
const byCharge = byToken.extend({ id });

const checkout = z.object({
  /** The only data of the company that a payer sees. */
  company: z.object({ name: z.string(), has_logo: z.boolean() }),
  name: z.string(),
  description: z.string().nullable(),
  amount: centavos,
  expires_at: instant,
  status: z.enum(linkStatuses),
  /** The link's methods that the company may use today. */
  payment_methods: z.array(z.enum(linkMethods)),
  max_installments: z.int(),
});
export type Checkout = z.infer<typeof checkout>;

/** `preparing`: poll again. `refused`: by the card's bank. `ended`: no longer payable, or another payer paid first. */
export const checkoutChargeStates = ["preparing", "waiting", "paid", "refused", "ended"] as const;

const party = z.object({ name: z.string(), cpf_cnpj: z.string() });

/** One payer's charge for one link. */
const checkoutCharge = z.object({
  id,
  state: z.enum(checkoutChargeStates),
  payment_method: z.enum(linkMethods),
  amount: centavos,
  pix: z.object({ code: z.string(), expires_at: instant }).nullable(),
  boleto: z
    .object({
      digitable_line: z.string(),
      barcode: z.string(),
      due_date: date,
      issued_at: instant,
      /** The moment at which the network registered the boleto. */
      processed_at: instant,
      bank: z.object({ code: z.string(), name: z.string() }),
      our_number: z.string(),
      document_number: z.string(),
      /** The beneficiary's agency and code. */
      beneficiary_account: z.string(),
      /** The bank's charges after the due date: fine and interest. */
      instructions: z.array(z.string()),
      /**
       * A boleto must show both (BCB Circular 3.598) and the beneficiary's address (Lei 12.039/2009). A person's CPF is
       * masked.
       */
      beneficiary: party.extend({ address: z.string().nullable() }),
      payer: party,
    })
    .nullable(),
  card: z
    .object({
      installments: z.int(),
      authorization_code: z.string().nullable(),
      /** Advice for the payer after a refusal. */
      advice: z.enum(["check_card", "other_card", "try_later"]).nullable(),
    })
    .nullable(),
});
export type CheckoutCharge = z.infer<typeof checkoutCharge>;

const common = {
  /** The page creates the id and keeps it across reloads: a repeated id is the same charge. */
  id,
  payer: z.object({ name: z.string().max(120), cpf_cnpj: z.string().max(24) }),
};

export const readCheckout = contract({
  id: "readCheckout",
  base: "payments",
  method: "GET",
  path: "/checkout/:token",
  summary: "O que um link de pagamento pede, para quem vai pagar",
  policy,
  params: byToken,
  response: checkout,
});

export const readCheckoutLogo = contract({
  id: "readCheckoutLogo",
  base: "payments",
  method: "GET",
  path: "/checkout/:token/logo",
  summary: "A logo da empresa que recebe por um link",
  policy,
  params: byToken,
  transport: "file",
  response: z.any(),
});

export const payCheckout = contract({
  id: "payCheckout",
  base: "payments",
  method: "POST",
  path: "/checkout/:token/charges",
  summary: "Gerar o Pix ou o boleto de um link, ou pagar com cartão; um id já usado devolve a mesma cobrança",
  policy,
  params: byToken,
  body: z.discriminatedUnion("payment_method", [
    z.object({ ...common, payment_method: z.literal("pix") }),
    z.object({ ...common, payment_method: z.literal("boleto") }),
    z.object({
      ...common,
      payment_method: z.literal("credit_card"),
      installments: z.int().min(1).max(instalmentsMax),
      card: z.object({
        number: z.string().max(32),
        holder_name: z.string().max(60),
        /** `MM/AA`. */
        expiry: z.string().max(8),
        security_code: z.string().max(4),
      }),
    }),
  ]),
  response: checkoutCharge,
});

export const readCheckoutCharge = contract({
  id: "readCheckoutCharge",
  base: "payments",
  method: "GET",
  path: "/checkout/:token/charges/:id",
  summary: "Como está uma cobrança de um link, para quem a gerou",
  policy,
  params: byCharge,
  response: checkoutCharge,
});
