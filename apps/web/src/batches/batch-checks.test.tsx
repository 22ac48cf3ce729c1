/** Checks before payment on the screen: a person confirms them, and the approver sees who did. */
import { closeBatch, sendBatchToApproval } from "@malote/contracts/batch-life";
import { type BatchChecks, confirmBatchChecks, readCheckFindings } from "@malote/contracts/checks";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildBoleto, buildOpenBatch, buildTransfer, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { checksOf, type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const open = (profile: "admin" | "operator" = "admin", more = "") =>
  renderApp(`/pagamentos/lotes?lote=${desk.batch.id}${more}`, { session: { profile } });
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const dialog = (name: string) => screen.findByRole("dialog", { name });

const double: BatchChecks["data"][number] = {
  kind: "same_payment",
  severity: "tick",
  title: "1 possível pagamento em dobro",
  count: 1,
  value: 1_234_56,
  fingerprint: "1-abc",
  confirmed: null,
  next: null,
  findings: [
    {
      payment: { id: testId(7), name: "Rita de Cássia Lima", value: 1_234_56, payment_date: null },
      other: null,
      text: "Mesmo recebedor e valor neste mesmo lote",
    },
  ],
};

// Loads the screen in advance, so that the first test does not wait for it.
beforeAll(() =>
  Promise.all([import("./batch-modal.tsx"), import("./batch-dialogs.tsx"), import("./batch-checks.tsx")]),
);
beforeEach(() => {
  desk = {
    batch: buildOpenBatch(),
    transfers: [buildTransfer()],
    balance: 100_000_000,
    filledFirstSteps: true,
    checks: [double],
  };
  serveBatch(desk);
  fakeServer.on(confirmBatchChecks, () => {
    desk.checks = (desk.checks ?? []).map((one) => ({
      ...one,
      confirmed: { by: "Helena Prado", at: "2026-11-22T17:03:00Z" },
    }));
    return checksOf(desk);
  });
});

it("shows the findings of a draft, and records a confirmation under the person's name", async () => {
  const user = userEvent.setup();
  open();
  const list = within(await screen.findByRole("region", { name: "Antes de fechar" }));
  const payment = await list.findByText(/Rita de Cássia Lima/);
  // The list above the box shows its first payments.
  expect(payment.closest("details")?.open).toBe(true);
  list.getByText("Mesmo recebedor e valor neste mesmo lote");
  await user.click(list.getByRole("checkbox", { name: /^Conferi e quero seguir/ }));
  const ticked = await list.findByText(/^Conferido por Helena Prado em 22\/11/);
  // The box disappears, and the focus moves to what took its place.
  await waitFor(() => expect(document.activeElement).toBe(ticked));
  expect(ticked.closest("li")?.dataset["tone"]).toBe("done");
  expect(fakeServer.calls(confirmBatchChecks)[0]?.body).toEqual({
    confirmations: [{ kind: "same_payment", fingerprint: "1-abc" }],
  });
});

it("asks to confirm a sheet's total with both sums beside it, and lists no payments", async () => {
  const title =
    "O total da planilha não é o deste lote. A linha 4 da planilha diz R$ 30,00; os pagamentos deste lote somam R$ 30,50";
  desk.checks = [{ ...double, kind: "sheet_total", title, value: 50, findings: [] }];
  open();
  const list = within(await screen.findByRole("region", { name: "Antes de fechar" }));
  const item = (await list.findByText(title)).closest("li") as HTMLElement;
  expect(item.querySelector("details")).toBeNull();
  await userEvent.click(within(item).getByRole("checkbox", { name: /^Conferi e quero seguir/ }));
  await within(item).findByText(/^Conferido por Helena Prado/);
});

it("shows beside a payment what was typed over its sheet, and who typed it", async () => {
  const by = { id: testId(3), name: "Rui Tavares" };
  const mark = { field: "value", origin: "changed", before: "1000", after: "10000", by } as const;
  desk.transfers = [buildTransfer({ data_marks: [{ ...mark, at: "2026-11-22T17:03:00Z" }] })];
  open();
  await screen.findByText("Alterado por Rui Tavares, valor: R$ 10,00 → R$ 100,00");
});

const finding = (n: number) => ({
  payment: { id: testId(100 + n), name: `Recebedor ${n}`, value: 10_00, payment_date: null },
  other: null,
  text: "Mesmo recebedor e valor neste mesmo lote",
});
const many = Array.from({ length: 130 }, (_, at) => finding(at + 1));
const [from, shown] = [20, 120];

it("shows many findings in pages, and fetches further pages on demand", async () => {
  const user = userEvent.setup();
  const title = "130 possíveis pagamentos em dobro";
  desk.checks = [{ ...double, title, count: many.length, findings: many.slice(0, from), next: "20.1-abc" }];
  fakeServer.on(readCheckFindings, ({ query }) => {
    const at = Number(String(query["page_cursor"]).split(".")[0]);
    return {
      kind: "same_payment" as const,
      count: many.length,
      fingerprint: "1-abc",
      data: many.slice(at, at + 100),
      meta: { next: at + 100 < many.length ? `${at + 100}.1-abc` : null },
    };
  });
  open();
  const list = within(await screen.findByRole("region", { name: "Antes de fechar" }));
  await list.findByText("Recebedor 3");
  expect(list.queryByText("Recebedor 4")).toBeNull();
  await user.click(list.getByRole("button", { name: "Mostrar mais 10" }));
  // The focus moves to the first of the added findings, for people who cannot see them.
  expect(document.activeElement?.textContent).toContain("Recebedor 4");
  expect(list.queryByText("Recebedor 14")).toBeNull();
  expect(fakeServer.calls(readCheckFindings)).toHaveLength(0);
  await user.click(list.getByRole("button", { name: "Mostrar mais 10" }));
  await list.findByText("Recebedor 23");
  await user.click(await list.findByRole("button", { name: "Mostrar mais 100" }));
  await list.findByText(`Recebedor ${shown + 1}`);
  await user.click(await list.findByRole("button", { name: "Mostrar mais 7" }));
  await list.findByText("Recebedor 130");
  expect(list.queryByRole("button", { name: /^Mostrar mais/ })).toBeNull();
  expect(fakeServer.calls(readCheckFindings).map(({ query }) => query["page_cursor"])).toEqual([
    "20.1-abc",
    "120.1-abc",
  ]);
});

it("reads the checks again when the findings changed while the person was reading", async () => {
  const user = userEvent.setup();
  desk.checks = [
    { ...double, title: "130 em dobro", count: 130, findings: many.slice(0, 3), next: "3.1-abc" },
  ];
  fakeServer.on(readCheckFindings, () => {
    desk.checks = [
      { ...double, title: "2 em dobro", count: 2, fingerprint: "2-def", findings: many.slice(4, 6) },
    ];
    return refuse("checks_changed");
  });
  open();
  const list = within(await screen.findByRole("region", { name: "Antes de fechar" }));
  await user.click(await list.findByRole("button", { name: "Mostrar mais 10" }));
  await screen.findByText(/^O que havia para conferir mudou\./);
  await list.findByText("Recebedor 6");
  expect(list.queryByText("Recebedor 1")).toBeNull();
});

it("BAT-061 sends nothing to approval before the checks are confirmed", async () => {
  const user = userEvent.setup();
  open("operator", "&etapa=envio");
  const send = (await button("Enviar para aprovação")) as HTMLButtonElement;
  const check = await screen.findByRole("checkbox", { name: /pagamento em dobro$/ });
  expect(send.disabled).toBe(true);
  expect(fakeServer.calls(sendBatchToApproval)).toHaveLength(0);
  await user.click(check);
  await waitFor(() => expect(send.disabled).toBe(false));
});

it("BAT-056 summarizes the batch for its approver, and approves once the checks are confirmed in the dialog", async () => {
  const user = userEvent.setup();
  desk.batch = { ...desk.batch, status: "WAITING_APPROVAL" };
  open();
  const card = within(await screen.findByRole("region", { name: "Para aprovar" }));
  await card.findByText("1 alerta");
  card.getByText("Nenhum recebedor novo");
  card.getByText("Maior pagamento");
  await user.click(await button("Aprovar"));
  const question = within(await dialog("Confirmação"));
  const approve = question.getByRole("button", { name: "Aprovar lote" }) as HTMLButtonElement;
  expect(approve.disabled).toBe(true);
  await user.click(await question.findByRole("checkbox", { name: /pagamento em dobro$/ }));
  await waitFor(() => expect(approve.disabled).toBe(false));
  expect(fakeServer.calls(closeBatch)).toHaveLength(0);
});

it("shows the approver an alert as an alert, with the name of the person who confirmed it", async () => {
  desk.batch = { ...desk.batch, status: "WAITING_APPROVAL" };
  desk.checks = [{ ...double, confirmed: { by: "Rui Tavares", at: "2026-11-22T17:03:00Z" } }];
  open();
  const card = within(await screen.findByRole("region", { name: "Para aprovar" }));
  const ticked = await card.findByText(/^Conferido por Rui Tavares em 22\/11/);
  expect(ticked.closest("li")?.dataset["tone"]).toBe("tick");
});

it("BAT-056 names in the dialog who confirmed what, with its first payments in sight", async () => {
  const user = userEvent.setup();
  desk.batch = { ...desk.batch, status: "WAITING_APPROVAL" };
  const confirmed = { by: "Rui Tavares", at: "2026-11-22T17:03:00Z" };
  const title = "9 possíveis pagamentos em dobro";
  desk.checks = [{ ...double, title, count: 9, findings: many.slice(0, 9), confirmed }];
  open();
  await user.click(await button("Aprovar"));
  const question = within(await dialog("Confirmação"));
  await question.findByText(/^Conferido por Rui Tavares em 22\/11/);
  expect(question.getByText("Recebedor 5").closest("details")?.open).toBe(true);
  expect(question.queryByText("Recebedor 6")).toBeNull();
  await user.click(question.getByRole("button", { name: "Mostrar mais 4" }));
  question.getByText("Recebedor 9");
});

it("shows an approver of boletos no new receivers, because it is unknown which of them were paid before", async () => {
  desk.batch = { ...desk.batch, type: "BILLET", status: "WAITING_APPROVAL" };
  desk.boletos = [];
  open();
  const card = within(await screen.findByRole("region", { name: "Para aprovar" }));
  await card.findByText("1 alerta");
  card.getByText("Maior pagamento");
  expect(card.queryByText(/recebedor(es)? novo/)).toBeNull();
});

it("BAT-049 BAT-050 BAT-051 warns the approver, and refuses to approve dates that have passed", async () => {
  desk.batch = { ...desk.batch, status: "WAITING_APPROVAL" };
  desk.flags = { hasTimeError: true, hasTimeWarning: true, hasDuplicatedIntegrationId: true };
  open();
  await screen.findByText("Há pagamentos agendados com data vencida.");
  screen.getByText(/O lote não pode ser aprovado assim/);
  screen.getByText("TEDs recebidas depois das 16h30 são feitas no próximo dia útil.");
  screen.getByText("Há IDs de integração repetidos.");
  expect(((await button("Aprovar")) as HTMLButtonElement).disabled).toBe(true);
});

it("BAT-049 BAT-050 BAT-051 warns in a draft too, in the words of boletos", async () => {
  desk.flags = { hasTimeError: true, hasTimeWarning: true, hasDuplicatedIntegrationId: true };
  const { unmount } = open("operator");
  await screen.findByText("Há pagamentos agendados com data vencida.");
  screen.getByText("A data escolhida ou o horário limite de TED já passou. Escolha uma nova data para eles.");
  screen.getByText("TEDs recebidas depois das 16h30 são feitas no próximo dia útil.");
  screen.getByText("Há IDs de integração repetidos.");
  unmount();
  desk.batch = { ...desk.batch, type: "BILLET" };
  desk.boletos = [buildBoleto()];
  open("operator");
  await screen.findByText("Há boletos que só serão pagos no próximo dia útil.");
  screen.getByText("Há pagamentos agendados com data vencida.");
  screen.getByText("A data escolhida ou o vencimento já passou. Abra cada um para corrigir.");
  expect(screen.queryByText(/TED/)).toBeNull();
});

const saidOf = {
  hasTimeError: "Há pagamentos agendados com data vencida.",
  hasTimeWarning: "TEDs recebidas depois das 16h30 são feitas no próximo dia útil.",
  hasDuplicatedIntegrationId: "Há IDs de integração repetidos.",
};

it.each([
  ["BAT-049", "hasTimeError", "DRAFT"],
  ["BAT-050", "hasTimeWarning", "DRAFT"],
  ["BAT-051", "hasDuplicatedIntegrationId", "DRAFT"],
  ["BAT-049", "hasTimeError", "WAITING_APPROVAL"],
  ["BAT-050", "hasTimeWarning", "WAITING_APPROVAL"],
  ["BAT-051", "hasDuplicatedIntegrationId", "WAITING_APPROVAL"],
] as const)("%s with %s alone, in %s, shows only its own warning", async (_number, flag, status) => {
  desk.batch = { ...desk.batch, status };
  desk.flags = { [flag]: true };
  open();
  await screen.findByText(saidOf[flag]);
  for (const said of Object.values(saidOf))
    if (said !== saidOf[flag]) expect(screen.queryByText(said)).toBeNull();
});
