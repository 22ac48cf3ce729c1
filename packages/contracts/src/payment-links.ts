/** Payment links, whose payers choose how to pay (LNK). checkout.ts has the page that a link opens. */

import { fineTypes, interestTypes, percentMax } from "@malote/domain/late-charges";
import {
  boletoDueDays,
  instalmentsMax,
  linkAmountMax,
  linkDescriptionMax,
  linkMethods,
  linkNameMax,
  linkStatuses,
} from "@malote/domain/payment-link";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile, type Policy } from "./policy.ts";
import {
  byId,
  centavos,
  done,
  id,
  instant,
  lineOfText,
  listMetadata,
  pageFromZero,
  positiveCentavos,
} from "./wire.ts";

/** The policy for creating links, which also covers deleting them (LNK-001). */
const generates = { ...adminOrOperator, permission: "payment_link_generate" } as const satisfies Policy;

/** The default page size, equal to the page's (LNK-002). */
export const paymentLinkPageSize = 10;

const paymentMethods = z.array(z.enum(linkMethods));
/** A rate: an amount in centavos where it is fixed, or a percentage with at most four decimals. */
const rateOf = <Type extends string>(types: readonly [Type, ...Type[]]) =>
  z.object({
    type: z.enum(types),
    amount: positiveCentavos.max(linkAmountMax).optional(),
    percent: z.number().positive().max(percentMax).optional(),
  });
const methodDetails = z.object({
  boleto: z
    .object({
      due_days: z.int().min(boletoDueDays.min).max(boletoDueDays.max),
      /** Interest applies to each day, month or year after the due date; the fine applies once (PAY-023). */
      interest: rateOf(interestTypes).optional(),
      fine: rateOf(fineTypes).optional(),
    })
    .optional(),
  credit_card: z.object({ max_installments: z.int().min(1).max(instalmentsMax) }).optional(),
});

/** A payment link as its company sees it (LNK-006). */
const paymentLink = z.object({
  id,
  name: z.string(),
  amount: centavos,
  description: z.string().nullable(),
  /** The end of the link's last day in São Paulo. */
  expires_at: instant,
  created_at: instant,
  status: z.enum(linkStatuses),
  payment_methods: paymentMethods,
  payment_method_details: methodDetails.nullable(),
  /** The link's address for the payer. */
  link: z.string(),
  /** The first payin that paid the link; null while there is none. */
  payin_id: id.nullable(),
});
export type PaymentLink = z.infer<typeof paymentLink>;

export const listPaymentLinks = contract({
  id: "listPaymentLinks",
  base: "payments",
  method: "GET",
  path: "/app/payment_links",
  summary: "Links de pagamento, do mais novo ao mais antigo",
  policy: everyProfile,
  query: z.object({
    page: pageFromZero,
    page_size: z.coerce.number().int().min(1).max(100).default(paymentLinkPageSize),
  }),
  response: z.object({ items: z.array(paymentLink), metadata: listMetadata }),
});

export const createPaymentLink = contract({
  id: "createPaymentLink",
  base: "payments",
  method: "POST",
  path: "/app/payment_links",
  summary:
    "Criar um link de pagamento, que vale até o fim do dia de expires_at; um id já usado devolve o link existente",
  policy: generates,
  body: z.object({
    id: id.optional(),
    name: lineOfText().min(1).max(linkNameMax),
    amount: z.int().positive().max(linkAmountMax),
    description: z.string().trim().max(linkDescriptionMax).nullish(),
    expires_at: instant,
    payment_methods: paymentMethods.min(1).max(linkMethods.length),
    payment_method_details: methodDetails.nullish(),
  }),
  response: paymentLink,
});

export const removePaymentLink = contract({
  id: "removePaymentLink",
  base: "payments",
  method: "DELETE",
  path: "/app/payment_links/:id",
  summary: "Excluir um link de pagamento que ainda não foi pago: seu endereço deixa de abrir na hora",
  policy: generates,
  params: byId,
  response: done,
});
