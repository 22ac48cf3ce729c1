/** Opens the wizard of the company's own Pix keys. */

import { listPaymentAccounts, readCompanyBankAccount } from "@malote/contracts/company";
import type { Contract } from "@malote/contracts/contract";
import type { PixKeyOnWire } from "@malote/contracts/pix-keys";
import type { TokenContent } from "@malote/contracts/session";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect } from "vitest";
import { fakeServer } from "./fake-server.ts";
import { buildPixKey, serveKeys } from "./pix-keys.ts";
import { renderApp } from "./render-app.tsx";

export const id = "0198f000-0000-7000-8000-0000000000c1";

export const page = "/pagamentos/configuracoes/dados-bancarios";

export const only = (...permissions: string[]): Partial<TokenContent> => ({
  permissions: ["platform_access", ...permissions],
});

export const dialogOf = async (name: string) => within(await screen.findByRole("dialog", { name }));

export type Box = Awaited<ReturnType<typeof dialogOf>>;

/** Opens the wizard of one key. */
export async function open(
  given: Partial<PixKeyOnWire>,
  session: Partial<TokenContent> = {},
  brand = "Malote",
) {
  const user = userEvent.setup();
  const keys = serveKeys(buildPixKey({ id, ...given }));
  const app = renderApp(`${page}?chave=${id}`, { session, brand: { name: brand } });
  await dialogOf("Chave Pix");
  await waitFor(() => expect(screen.queryByRole("status", { name: "Carregando a chave" })).toBeNull());
  return { user, keys, app, dialog: await dialogOf("Chave Pix") };
}

export const buttonsOf = (dialog: Box) =>
  dialog
    .getAllByRole("button")
    .map((button) => button.textContent)
    .filter(Boolean);

/** Ids of the keys that this call concerned, in its order. */
export const keysOf = (contract: Contract) => fakeServer.calls(contract).map(({ params }) => params["id"]);

export const unlinked = { ownership_date: null, pix_qrcode_image: null, pix_qrcode_emv_payload: null };

export function pixKeyPage() {
  beforeEach(() => {
    fakeServer.on(readCompanyBankAccount, () => null);
    fakeServer.on(listPaymentAccounts, () => ({ data: [] }));
  });

  return {};
}
