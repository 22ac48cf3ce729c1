import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { destination, destinationInput } from "./transfers.ts";
import { byId, centavos, done, id, instant, listMetadata, pageFromZero } from "./wire.ts";

/** A receiver's status from its last payment: none yet, arrived, or failed. */
export const receiverStatuses = ["CREATED", "VERIFIED", "FAILED"] as const;
export type ReceiverStatus = (typeof receiverStatuses)[number];

export const receiver = destination.extend({
  status: z.enum(receiverStatuses),
  /** The last payment that arrived at this key or account. */
  last_payment: z.object({ at: instant, value: centavos }).nullable().optional(),
});
export type Receiver = z.infer<typeof receiver>;

/** The maximum of one call; the screen sends a page at a time. */
const bulkMax = 500;

export const listReceivers = contract({
  id: "listReceivers",
  base: "payments",
  method: "GET",
  path: "/app/receivers",
  summary: "Recebedores cadastrados, em ordem de nome, com CPFs mascarados",
  policy: everyProfile,
  query: z.object({
    page: pageFromZero,
    bankId: z.string().max(8).optional(),
    status: z.enum(receiverStatuses).optional(),
    search: z.string().trim().max(100).optional(),
  }),
  response: z.object({ data: z.array(receiver), metadata: listMetadata }),
});

export const searchReceivers = contract({
  id: "searchReceivers",
  base: "payments",
  method: "GET",
  path: "/app/receivers/autocomplete",
  summary: "Buscar um recebedor cadastrado, por nome, documento, agência, conta ou chave",
  policy: everyProfile,
  query: z.object({ search: z.string().trim().min(3).max(100) }),
  response: z.object({ data: z.array(receiver) }),
});

export const readReceiver = contract({
  id: "readReceiver",
  base: "payments",
  method: "GET",
  path: "/app/receivers/:id",
  summary: "Ler um recebedor",
  policy: everyProfile,
  params: byId,
  response: receiver,
});

export const createReceiver = contract({
  id: "createReceiver",
  base: "payments",
  method: "POST",
  path: "/app/receivers",
  summary: "Cadastrar um recebedor; com um id já usado e os mesmos dados devolve o recebedor existente",
  policy: adminOrOperator,
  body: destinationInput.extend({ id: id.optional() }),
  response: receiver,
});

export const changeReceiver = contract({
  id: "changeReceiver",
  base: "payments",
  method: "PATCH",
  path: "/app/receivers/:id",
  summary: "Alterar um recebedor: só os campos enviados mudam",
  policy: adminOrOperator,
  params: byId,
  body: destinationInput,
  response: receiver,
});

export const removeReceiver = contract({
  id: "removeReceiver",
  base: "payments",
  method: "DELETE",
  path: "/app/receivers/:id",
  summary: "Excluir um recebedor",
  policy: adminOrOperator,
  params: byId,
  response: done,
});

export const removeReceivers = contract({
  id: "removeReceivers",
  base: "payments",
  method: "POST",
  path: "/app/receivers/bulk-delete",
  summary: "Excluir vários recebedores",
  policy: adminOrOperator,
  body: z.object({ ids: z.array(id).min(1).max(bulkMax) }),
  response: z.object({ removed: z.int() }),
});
