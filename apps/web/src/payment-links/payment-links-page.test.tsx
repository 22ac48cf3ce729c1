import { createCheckpoint } from "@malote/contracts/company";
import { listPaymentLinks, type PaymentLink, removePaymentLink } from "@malote/contracts/payment-links";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { features as allFeatures } from "../entries/features.ts";
import { forbiddenPath } from "../shell/guards.ts";
import { visibleEntries } from "../shell/sidebar.tsx";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { buildSession } from "../testing/token.ts";
import { paymentLinks } from "./feature.ts";

const address = "/recebimentos/links-de-pagamento";
const features = [paymentLinks, placeholderScreens("BatchesPage", "ReceivablesPage")];
const course: PaymentLink = {
  id: "0198f000-0000-7000-8000-0000000000d1",
  name: "Curso de outubro",
  amount: 1_234_56,
  description: "Turma da noite",
  expires_at: "2026-12-01T02:59:59.999Z",
  created_at: "2026-11-20T19:42:00.000Z",
  status: "active",
  payment_methods: ["credit_card", "boleto", "pix"],
  payment_method_details: { boleto: { due_days: 3 }, credit_card: { max_installments: 6 } },
  link: "http://malote.test/pagar/AAAAAAAAAAAAAAAAAAAAAA",
  payin_id: null,
};
const paid: PaymentLink = {
  ...course,
  id: "0198f000-0000-7000-8000-0000000000d2",
  name: "Uniforme",
  status: "paid",
  payin_id: "0198f000-0000-7000-8000-0000000000e2",
  description: null,
};
const over: PaymentLink = {
  ...paid,
  payin_id: null,
  id: "0198f000-0000-7000-8000-0000000000d3",
  name: "Livro",
  status: "expired",
  link: "http://malote.test/pagar/BBBBBBBBBBBBBBBBBBBBBB",
};
const answer = (items: PaymentLink[], totalItems = items.length, itemsPerPage = 10) => ({
  items,
  metadata: { pagination: { itemsPerPage, totalItems } },
});

function open(items: PaymentLink[] = [course, paid, over], session: object = {}, at = address) {
  fakeServer.on(listPaymentLinks, () => answer(items));
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  return renderApp(at, { features, session });
}
const rowOf = async (name: string) => {
  const row = (await screen.findByText(name, { selector: "strong" })).closest("tr");
  if (!row) throw new Error(`${name} is in no row`);
  return within(row);
};

it("SHL-029 is in the side menu after the receipts, and shows cards only to companies that have them", () => {
  const entries = (feature_flags: string[]) =>
    visibleEntries(allFeatures, buildSession({ feature_flags }))
      .get("Recebimentos")
      ?.map(({ label }) => label);
  expect(entries(["card-charge"])).toEqual(["Seus recebimentos", "Cartão de crédito", "Links de pagamento"]);
  expect(entries([])).toEqual(["Seus recebimentos", "Links de pagamento"]);
});

it.each([
  ["companies without the permission", { permissions: ["platform_access"] }],
  ["analysts", { profile: "analyst" as const }],
])("LNK-001 shows %s the links, but neither creates nor deletes one", async (_who, session) => {
  const app = open([course], session);
  const row = await rowOf("Curso de outubro");
  expect(row.queryByRole("button", { name: /Excluir/ })).toBeNull();
  expect(screen.queryByRole("link", { name: "Criar link de pagamento" })).toBeNull();
  const inPalette = (given: object) =>
    (paymentLinks.commands ?? [])
      .filter(({ shows }) => !shows || shows(buildSession(given)))
      .map(({ label }) => label);
  expect(inPalette(session)).toEqual([]);
  expect(inPalette({})).toEqual(["Criar link de pagamento"]);
  app.unmount();
  const empty = open([], session);
  await screen.findByText("Você não possui Links de Pagamento");
  expect(screen.queryByRole("link", { name: "Criar link de pagamento" })).toBeNull();
  await empty.router.navigate({ href: `${address}/novo` });
  await screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
  expect(empty.address()).toBe(forbiddenPath);
});

it("LNK-001 lets operators create and delete links", async () => {
  const app = open([course], { profile: "operator" });
  (await rowOf("Curso de outubro")).getByRole("button", { name: /Excluir/ });
  await userEvent.click(screen.getByRole("link", { name: "Criar link de pagamento" }));
  await screen.findByRole("heading", { level: 1, name: "Criar link de pagamento" });
  expect(app.address()).toBe(`${address}/novo`);
});

it("FST-025 lists links when the mark cannot be stored", async () => {
  open();
  refuseMarks();
  await rowOf("Curso de outubro");
  await expectQuietReport();
  expect(recordedMarks()).toEqual(["HAS_OPENED_PAYMENT_LINKS"]);
});

it("LNK-003 LNK-006 LNK-007 LNK-008 LNK-024 FST-024 lists links with their state, and copies one", async () => {
  const user = userEvent.setup();
  open();
  const row = await rowOf("Curso de outubro");
  const cells = row
    .getAllByRole("cell")
    .slice(0, -1)
    .map((cell) =>
      [...cell.childNodes].slice(1).map(({ textContent }) => textContent?.replace("\u00a0", " ")),
    );
  expect(cells).toEqual([
    ["Curso de outubroTurma da noite"],
    ["R$ 1.234,56"],
    ["20/11/2026"],
    ["30/11/2026"],
    ["Cartão de crédito, Boleto, Pix"],
    ["Ativo"],
  ]);
  expect(screen.getByRole("link", { name: "Criar link de pagamento" }).getAttribute("href")).toBe(
    `${address}/novo`,
  );
  (await rowOf("Uniforme")).getByText("Pago");
  // A paid link links to its payin; an unpaid link does not.
  const toPayin = (await rowOf("Uniforme")).getByRole("link", { name: "Ver o recebimento do link Uniforme" });
  expect(toPayin.getAttribute("href")).toBe(`/recebimentos/recebiveis?recebimento=${paid.payin_id}`);
  expect(row.queryByRole("link", { name: /Ver o recebimento/ })).toBeNull();
  (await rowOf("Livro")).getByText("Expirado");
  expect(screen.getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual([
    "Nome",
    "Valor",
    "Criado em",
    "Expira em",
    "Métodos",
    "Status",
    "Ações",
  ]);
  await user.click(row.getByRole("button", { name: "Copiar o link Curso de outubro" }));
  await screen.findByText("Link de Pagamento copiado!");
  expect(await navigator.clipboard.readText()).toBe(course.link);
  await user.click((await rowOf("Livro")).getByRole("button", { name: "Copiar o link Livro" }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(over.link));
  expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
    { location: "HAS_OPENED_PAYMENT_LINKS" },
  ]);
  const group = screen.getByRole("navigation", { name: "Recebimentos" });
  const entry = within(group).getByRole("link", { name: "Links de pagamento" });
  expect(entry.getAttribute("aria-current")).toBe("page");
});

it("LNK-009 LNK-010 deletes an unpaid link after asking by its name, and explains why a paid one stays", async () => {
  const user = userEvent.setup();
  fakeServer.on(removePaymentLink, () => refuse("payment_link_paid"));
  open();
  const locked = (await rowOf("Uniforme")).getByRole("button", { name: "Excluir o link Uniforme" });
  expect(locked.getAttribute("title")).toBe("O link não pode ser excluído pois já foi recebido");
  expect(screen.getAllByTitle("O link não pode ser excluído pois já foi recebido")).toHaveLength(1);
  await user.click(locked);
  expect(screen.queryByRole("dialog")).toBeNull();
  // An expired link was not paid.
  await user.click((await rowOf("Livro")).getByRole("button", { name: "Excluir o link Livro" }));
  await screen.findByRole("dialog", { name: "Excluir o link Livro?" });
  await user.click(screen.getByRole("button", { name: "Cancelar" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

  const ask = async () => {
    await user.click((await rowOf("Curso de outubro")).getByRole("button", { name: /Excluir/ }));
    await screen.findByRole("dialog", { name: "Excluir o link Curso de outubro?" });
    await user.click(screen.getByRole("button", { name: "Excluir link" }));
  };
  await ask();
  await screen.findByText(/^Ocorreu um erro ao deletar o link de pagamento\. O link não pode ser excluído/);
  const removed: unknown[] = [];
  fakeServer.on(removePaymentLink, ({ params }) => {
    removed.push(params["id"]);
    return { ok: true as const };
  });
  fakeServer.on(listPaymentLinks, () => answer([paid, over]));
  await ask();
  await screen.findByText("Link de Pagamento deletado!");
  expect(removed).toEqual([course.id]);
  await waitFor(() => expect(screen.queryByText("Curso de outubro", { selector: "strong" })).toBeNull());
});

it("sends a deletion once when it is clicked twice, and shows its answer", async () => {
  open();
  let sent = 0;
  fakeServer.on(removePaymentLink, () => (++sent === 1 ? { ok: true as const } : refuse("not_found")));
  fireEvent.click((await rowOf("Curso de outubro")).getByRole("button", { name: /Excluir/ }));
  const confirm = await screen.findByRole("button", { name: "Excluir link" });
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  await screen.findByText("Link de Pagamento deletado!");
  expect(sent).toBe(1);
});

it("LNK-002 pages by number, in the address", async () => {
  const user = userEvent.setup();
  const app = open();
  fakeServer.on(listPaymentLinks, ({ query }) => answer(query["page"] === "1" ? [over] : [course], 11, 4));
  // Eleven links, four per page by the answer.
  await screen.findByRole("button", { name: "Página 3" });
  expect(screen.queryByRole("button", { name: "Página 4" })).toBeNull();
  await user.click(await screen.findByRole("button", { name: "Próxima página" }));
  await rowOf("Livro");
  expect(app.address()).toBe(`${address}?pagina=2`);
  expect(screen.getByRole("button", { name: "Página 2" }).getAttribute("aria-current")).toBe("page");
  await user.click(screen.getByRole("button", { name: "Página 3" }));
  await waitFor(() => expect(app.address()).toBe(`${address}?pagina=3`));
  await waitFor(() =>
    expect(fakeServer.calls(listPaymentLinks).map(({ query }) => query)).toEqual([
      { page: "0" },
      { page: "1" },
      { page: "2" },
    ]),
  );
});

it("LNK-004 LNK-005 reports an empty list, and one that could not be read", async () => {
  const user = userEvent.setup();
  open();
  fakeServer.on(listPaymentLinks, () => refuse("internal"));
  await screen.findByText("Ocorreu um erro ao buscar os links de pagamento.");
  fakeServer.on(listPaymentLinks, () => answer([]));
  await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
  await screen.findByText("Você não possui Links de Pagamento");
  screen.getByText("Crie um novo link e acompanhe por aqui.");
  expect(screen.getByRole("link", { name: "Criar link de pagamento" }).getAttribute("href")).toBe(
    `${address}/novo`,
  );
});
