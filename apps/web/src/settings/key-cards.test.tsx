/** Card of each Pix key by its status, and the card that adds one. */
import { listBanks, listPaymentAccounts, readCompanyBankAccount } from "@malote/contracts/company";
import { listPixKeys } from "@malote/contracts/pix-keys";
import { pixKeyStatuses } from "@malote/domain/own-pix-key";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildPixKey, serveKeys } from "../testing/pix-keys.ts";
import { renderApp } from "../testing/render-app.tsx";

const bankData = "/pagamentos/configuracoes/dados-bancarios";

beforeEach(() => {
  fakeServer.on(readCompanyBankAccount, () => null);
  fakeServer.on(listBanks, () => ({ data: [] }));
  fakeServer.on(listPaymentAccounts, () => ({ data: [] }));
});

it("SET-003 SET-004 disables only the card of a key that is being removed, and warns of each unregistered one", async () => {
  const shown = pixKeyStatuses.filter((status) => status !== "REMOVED");
  serveKeys(
    ...shown.map((status, at) =>
      buildPixKey({
        id: `0198f000-0000-7000-8000-0000000002${String(at).padStart(2, "0")}`,
        key: `${status}@aurora.exemplo`,
        status,
      }),
    ),
  );
  renderApp(bankData);
  const cards = shown.map(async (status) => {
    const key = await screen.findByText(`${status}@aurora.exemplo`);
    const card = key.closest("button");
    const warning = card && within(card).queryByText(/^Esta chave (ainda não|está)/)?.textContent;
    return [status, card?.disabled, warning];
  });
  const notYet = "Esta chave ainda não recebe pagamentos";
  expect(await Promise.all(cards)).toEqual([
    ["PENDING", false, notYet],
    ["VALIDATING", false, notYet],
    ["REGISTERED", false, undefined],
    ["ERROR", false, notYet],
    ["PENDING_REMOVAL", true, "Esta chave está sendo excluída"],
    ["WAITING_PORTABILITY", false, notYet],
    ["WAITING_CLAIM", false, notYet],
    ["PORTABILITY_REQUESTED", false, notYet],
    ["CLAIM_REQUESTED", false, notYet],
    ["PORTABILITY_IN_PROGRESS", false, notYet],
    ["CLAIM_IN_PROGRESS", false, notYet],
    ["WAITING_PORTABILITY_APPROVAL", false, undefined],
    ["WAITING_CLAIM_APPROVAL", false, undefined],
  ]);
});

it("SES-070 shows that the keys could not be read again, and reads them again on demand", async () => {
  serveKeys(buildPixKey({ key: "caixa@aurora.exemplo" }));
  const app = renderApp(bankData);
  await screen.findByText("caixa@aurora.exemplo");
  fakeServer.on(listPixKeys, () => refuse("internal"));
  await act(() => app.queryClient.invalidateQueries());
  await screen.findByText("Não foi possível carregar as chaves Pix");
  serveKeys(buildPixKey({ key: "caixa@aurora.exemplo" }));
  await userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
  await screen.findByText("caixa@aurora.exemplo");
});

it("SET-002 shows the card that adds a key when there is none", async () => {
  serveKeys();
  const app = renderApp(bankData);
  await userEvent.click(await screen.findByRole("button", { name: "Adicionar chave Pix" }));
  await screen.findByRole("dialog", { name: "Adicionar chave Pix" });
  expect(app.address()).toBe(`${bankData}?chave=nova`);
});

it.each([
  ["PENDING_REMOVAL", "REMOVED", undefined],
  ["PENDING", "REGISTERED", "Chave vinculada"],
] as const)(
  "PIX-025 PIX-050 follows a key in %s until it is in %s, though no dialog is open and another key changes rarely",
  async (status, next, pill) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const rare = buildPixKey({
      id: "0198f000-0000-7000-8000-000000000301",
      key: "rara@aurora.exemplo",
      status: "CLAIM_IN_PROGRESS",
    });
    const passing = buildPixKey({ id: "0198f000-0000-7000-8000-000000000302", status });
    const keys = serveKeys(rare, passing);
    renderApp(bankData);
    const card = () => screen.queryByText("financeiro@aurora.exemplo")?.closest("button");
    await waitFor(() => expect(card()).toBeTruthy());
    keys.change(passing.id, { status: next });
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    if (pill) await within(card() as HTMLElement).findByText(pill);
    else await waitFor(() => expect(card()).toBeUndefined());
    screen.getByText("rara@aurora.exemplo");
  },
);
