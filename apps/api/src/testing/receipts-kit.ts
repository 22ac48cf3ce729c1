/** Requests and fetches receipts in tests. */
import { bases, type Contract } from "@malote/contracts/contract";
import { requestReceipts } from "@malote/contracts/receipts";
import type { Person } from "./app.ts";
import type { PaymentsKit } from "./payments-kit.ts";

export const hostile = `<b>Zoë</b> "Lote"\r\nset-cookie: x ../`;

export const failing = {
  name: "Ivo Reis",
  pix_key_type: "EMAIL",
  pix_key: "chave.pix15@exemplo.com.br",
} as const;

export const someone = "0198f000-0000-7000-8000-00000000dead";

export const requestReceiptsFor = (by: Person, body: object) => by.call(requestReceipts, { body });

export function receiptCalls(kit: () => PaymentsKit) {
  async function file(by: Pick<Person, "token">, contract: Contract, id: string) {
    const answer = await kit().server.inject({
      url: bases[contract.base] + contract.path.replace(":id", id),
      headers: { authorization: `Bearer ${by.token}` },
    });
    return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
  }

  return { file };
}
