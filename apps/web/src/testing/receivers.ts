/** Receivers of the fake server, and their page. */
import { createCheckpoint, listBanks, readCheckpoint } from "@malote/contracts/company";
import { listReceivers, type Receiver, readReceiver } from "@malote/contracts/receivers";
import { screen } from "@testing-library/react";
import { fakeServer, refuse } from "./fake-server.ts";
import { buildReceiver } from "./payments.ts";
import { renderApp } from "./render-app.tsx";

export const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
const home = "/pagamentos/recebedores";

export const openReceivers = (search = "", session: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(home + search, session);
export const dialog = (name: string) => screen.findByRole("dialog", { name });

/** One receiver with a key, and one with an account whose last payment failed. */
export const twoReceivers = (): [Receiver, Receiver] => [
  buildReceiver({ name: "Ana Lima", cpf_cnpj: "***.982.247-**", pix_key: "ana@exemplo.com.br" }),
  buildReceiver({
    name: "Gráfica Ponto Final",
    cpf_cnpj: "72491638000183",
    pix_key: null,
    pix_key_type: null,
    bank_id: itau.id,
    Bank: itau,
    agency: "0457",
    account: "31872",
    account_digit: "3",
    account_type: "CONTA_CORRENTE",
    status: "FAILED",
    status_description: "Conta encerrada.",
  }),
];

/** Calls `saved` for each request, because a test changes it. Only the first one's document is masked in the list. */
export function serveReceivers(first: Receiver, saved: () => Receiver[]): void {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.on(listBanks, () => ({ data: [itau] }));
  fakeServer.on(listReceivers, ({ query }) => {
    const found = saved().filter(
      ({ name, bank_id, status }) =>
        (!query["search"] || name?.toLowerCase().includes(query["search"])) &&
        (!query["bankId"] || bank_id === query["bankId"]) &&
        (!query["status"] || status === query["status"]),
    );
    const page = Number(query["page"] ?? 0);
    return {
      data: found.slice(page * 2, page * 2 + 2),
      metadata: { pagination: { itemsPerPage: 2, totalItems: found.length } },
    };
  });
  fakeServer.on(readReceiver, ({ params }) => {
    const found = saved().find(({ id }) => id === params["id"]);
    return found
      ? { ...found, cpf_cnpj: found === first ? "52998224725" : found.cpf_cnpj }
      : refuse("not_found");
  });
}
