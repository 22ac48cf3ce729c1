/** Equal errors of a draft that another person changes while they are on the screen. */
import { fixIssueGroup, listIssueGroups, listIssueRows } from "@malote/contracts/batch-issues";
import { readDraftAccountValidation, validateDraftAccount } from "@malote/contracts/validation";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { dayForAllText } from "../boletos/parts.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildBoleto, buildOpenBatch, buildTransfer, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";
import { payments, validation } from "../testing/token.ts";
import { build as buildValidation } from "../testing/validation.ts";

let desk: Desk;
const button = (name: string) => screen.findByRole("button", { name });
const open = () => renderApp(`/pagamentos/lotes?lote=${desk.batch.id}`);

/** Loads the screen in advance, so that the first test does not wait for it. */
beforeAll(
  () =>
    Promise.all([
      import("./batch-modal.tsx"),
      import("./issue-groups.tsx"),
      import("./fix-group-dialog.tsx"),
    ]),
  60_000,
);

beforeEach(() => {
  desk = {
    batch: buildOpenBatch({ payments_count: 2, errors_count: 2 }),
    transfers: [buildTransfer(), buildTransfer()],
    balance: 0,
    filledFirstSteps: true,
  };
  serveBatch(desk);
});

it("keeps the answer for a group that another person changed meanwhile, and reports the change", async () => {
  const user = userEvent.setup();
  const unnamed = { code: "pix_description_too_long", field: "pix_description" } as const;
  fakeServer.on(listIssueGroups, () => ({
    rows_count: 2,
    data: [
      {
        issue: unnamed,
        given: null,
        receiver: null,
        count: 2,
        example: buildTransfer(),
        digest: "como-vi",
      },
    ],
  }));
  fakeServer.on(listIssueRows, () => ({ data: [], count: 2, digest: "como-vi" }));
  fakeServer.on(fixIssueGroup, () => refuse("batch_changed"));
  open();
  await user.click(await button("Corrigir as duas iguais"));
  const asked = within(await screen.findByRole("dialog", { name: "Corrigir 2 pagamentos iguais" }));
  const field = asked.getByRole<HTMLInputElement>("textbox");
  await user.type(field, "Aluguel");
  await user.click(asked.getByRole("button", { name: "Corrigir 2 pagamentos" }));
  await screen.findByText("O lote foi alterado por outra pessoa. Atualize a página antes de continuar.");
  expect(field.value).toBe("Aluguel");
});

it("resets the ticks when the proposals have changed", async () => {
  const user = userEvent.setup();
  const digit = (account_digit: string) =>
    ({ code: "account_digit_invalid", field: "account_digit", suggestion: { account_digit } }) as const;
  const row = (proposed: string) => {
    const to = { name: "Elétrica Luz", pix_key: null, pix_key_type: null, bank_id: "60701190" };
    return buildTransfer({
      to: { ...to, account: "123456", account_digit: "9" },
      errors: [{ ...digit(proposed) }],
    });
  };
  const [before, other] = [row("8"), row("8")];
  const group = { issue: digit("8"), given: null, receiver: null, count: 2, example: before };
  fakeServer.on(listIssueGroups, () => ({ rows_count: 2, data: [{ ...group, digest: "antes" }] }));
  fakeServer.on(listIssueRows, () => ({ data: [before, other], count: 2, digest: "antes" }));
  fakeServer.on(fixIssueGroup, () => {
    fakeServer.on(listIssueRows, () => ({
      data: [{ ...row("7"), id: before.id }],
      count: 1,
      digest: "depois",
    }));
    return refuse("batch_changed");
  });
  open();
  await user.click(await button("Corrigir as duas iguais"));
  const asked = within(await screen.findByRole("dialog", { name: "Corrigir 2 pagamentos iguais" }));
  const [line] = await asked.findAllByRole("checkbox", { name: "Elétrica Luz 123456-9 → 123456-8" });
  if (line) await user.click(line);
  await user.click(asked.getByRole("button", { name: "Aceitar 1 sugestão" }));
  const anew = await asked.findByRole<HTMLInputElement>("checkbox", {
    name: "Elétrica Luz 123456-9 → 123456-7",
  });
  expect(anew.checked).toBe(false);
  expect(fakeServer.calls(fixIssueGroup)[0]?.body).toMatchObject({ digest: "antes" });
  asked.getByRole("button", { name: "Marque as sugestões" });
});

describe("accounts with proposed digits", () => {
  const issue = {
    code: "account_digit_invalid",
    field: "account_digit",
    suggestion: { account_digit: "8" },
  } as const;
  const rows = ["Elétrica Luz", "Gráfica Boa"].map((name) =>
    buildTransfer({
      to: {
        name,
        pix_key: null,
        pix_key_type: null,
        bank_id: "60701190",
        account: "12345",
        account_digit: "9",
      },
      errors: [issue],
    }),
  );
  beforeEach(() => {
    const group = { issue, given: null, receiver: null, count: 2, example: rows[0]!, digest: "d" };
    fakeServer.on(listIssueGroups, () => ({ rows_count: 2, data: [group] }));
    fakeServer.on(listIssueRows, () => ({ data: rows, count: 2, digest: "d" }));
  });
  const both = { allowed_applications: [payments, validation] };
  const openDialog = async (session: object, settings: object) => {
    renderApp(`/pagamentos/lotes?lote=${desk.batch.id}`, { session, settings });
    await userEvent.click(await button("Corrigir as duas iguais"));
    const asked = within(await screen.findByRole("dialog", { name: "Corrigir 2 pagamentos iguais" }));
    await asked.findByRole("checkbox", { name: "Elétrica Luz 12345-9 → 12345-8" });
    return asked;
  };

  it.each([
    ["a person without ContaCerta", {}, { uses_micro_deposit: true }],
    [
      "a person who may not validate",
      { ...both, permissions: ["platform_access"] },
      { uses_micro_deposit: true },
    ],
    ["a company without micro deposits", both, { uses_micro_deposit: false }],
  ])("are not offered for validation to %s", async (_, session, settings) => {
    const asked = await openDialog(session, settings);
    expect(asked.queryByRole("button", { name: /^Validar/ })).toBeNull();
  });

  it("are validated by ContaCerta when ticked, with the cost shown before and the result beside each", async () => {
    const user = userEvent.setup();
    const made: string[] = [];
    fakeServer.on(validateDraftAccount, () => {
      made.push(testId(50 + made.length));
      return { id: made.at(-1)! };
    });
    const errors = [{ code: "account_not_found", field: "account", message: "A conta não existe" }] as never;
    fakeServer.on(readDraftAccountValidation, ({ params }) =>
      buildValidation(
        params["id"] === made[0]
          ? { id: made[0]!, type: "MICRO_DEPOSIT" }
          : { id: made[1]!, type: "MICRO_DEPOSIT", valid: false, errors },
      ),
    );
    const asked = await openDialog(both, { uses_micro_deposit: true });
    asked.getByText(/cada uma envia R\$.0,01 do saldo da empresa e mostra se ele chegou, com comprovante\.$/);
    await user.click(asked.getByRole("checkbox", { name: "Marcar todas" }));
    await user.click(asked.getByRole("button", { name: /^Validar 2 contas por R\$.0,02$/ }));
    const [good, bad] = asked.getAllByRole("listitem");
    await within(good!).findByText(/Validado/);
    await within(bad!).findByText(/A conta não existe/);
    expect(fakeServer.calls(validateDraftAccount).map(({ query, body }) => [query, body])).toMatchObject([
      [{ type: "MICRO_DEPOSIT" }, { name: "Elétrica Luz", bank_ispb: "60701190", account_digit: "8" }],
      [{ type: "MICRO_DEPOSIT" }, { name: "Gráfica Boa", account: "12345", account_digit: "8" }],
    ]);
    expect(
      asked.getByRole<HTMLButtonElement>("button", { name: "Validar as contas marcadas" }).disabled,
    ).toBe(true);
  });

  it("SES-070 shows that a result could not be read, and reads it again on demand", async () => {
    const user = userEvent.setup();
    fakeServer.on(validateDraftAccount, () => ({ id: testId(50) }));
    fakeServer.on(readDraftAccountValidation, () => refuse("internal"));
    const asked = await openDialog(both, { uses_micro_deposit: true });
    await user.click(asked.getByRole("checkbox", { name: "Elétrica Luz 12345-9 → 12345-8" }));
    await user.click(asked.getByRole("button", { name: /^Validar 1 conta por/ }));
    const notice = within(
      (await asked.findByText("Não foi possível ler o resultado da validação")).closest(
        "[role=alert]",
      ) as HTMLElement,
    );
    fakeServer.on(readDraftAccountValidation, () =>
      buildValidation({ id: testId(50), type: "MICRO_DEPOSIT" }),
    );
    await user.click(notice.getByRole("button", { name: "Tentar de novo" }));
    await asked.findByText(/Validado/);
    expect(asked.queryByText("Não foi possível ler o resultado da validação")).toBeNull();
  });
});

it("lists the boletos that take one date, each with its value and both dates", async () => {
  vi.setSystemTime("2026-11-19T12:00:00-03:00");
  const user = userEvent.setup();
  const issue = { code: "payment_date_expired", field: "payment_date" } as const;
  const rows = ["Luz", "Aluguel"].map((description) => buildBoleto({ description, errors: [issue] }));
  fakeServer.on(listIssueGroups, () => ({
    rows_count: 2,
    data: [{ issue, given: null, receiver: null, count: 2, example: rows[0]!, digest: "d" }],
  }));
  fakeServer.on(listIssueRows, () => ({ data: rows, count: 2, digest: "d" }));
  open();
  await user.click(await button("Corrigir as duas iguais"));
  const asked = within(await screen.findByRole("dialog", { name: "Corrigir 2 boletos iguais" }));
  asked.getByText(dayForAllText(null));
  const list = within(await asked.findByRole("list", { name: "Pagamentos que mudam" }));
  list.getByText("Luz");
  list.getByText("Aluguel");
  expect(list.getAllByText(/^R\$ 150,00 · paga hoje · vence 15\/02\/2027$/)).toHaveLength(2);
});

it("lists who takes one answer for all, with what the sheet says of each in a column that was not read", async () => {
  const user = userEvent.setup();
  const issue = { code: "account_type_invalid", field: "account_type" } as const;
  const row = (name: string, Tipo: string) =>
    buildTransfer({ to: { name }, errors: [issue], sheet_cells: { Nome: name, Tipo, Agência: "1234" } });
  const rows = [row("Elétrica Luz", "poupança"), row("Gráfica Boa", "CC"), row("Ivo Reis", "?")];
  fakeServer.on(listIssueGroups, () => ({
    rows_count: 3,
    data: [{ issue, given: null, receiver: null, count: 5, example: rows[0]!, digest: "d" }],
  }));
  fakeServer.on(listIssueRows, () => ({ data: rows, count: 5, digest: "d" }));
  open();
  await user.click(await button("Corrigir as 5 iguais"));
  const asked = within(await screen.findByRole("dialog", { name: "Corrigir 5 pagamentos iguais" }));
  const list = within(await asked.findByRole("list", { name: "Pagamentos que mudam" }));
  expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Elétrica LuzNa planilha: Tipo poupança",
    "Gráfica BoaNa planilha: Tipo CC",
    "Ivo Reis",
  ]);
  asked.getByText("e mais 2");
});

it("requests the payments of a group with empty cells by the empty text", async () => {
  const user = userEvent.setup();
  const issue = { code: "account_type_invalid", field: "account_type" } as const;
  const rows = [buildTransfer({ errors: [issue] }), buildTransfer({ errors: [issue] })];
  fakeServer.on(listIssueGroups, () => ({
    rows_count: 2,
    data: [{ issue, given: "", receiver: null, count: 2, example: rows[0]!, digest: "d" }],
  }));
  fakeServer.on(listIssueRows, ({ query }) => {
    const data = query.given === "" ? rows : [];
    return { data, count: data.length, digest: "d" };
  });
  open();
  await user.click(await button("Corrigir as duas iguais"));
  const asked = within(await screen.findByRole("dialog", { name: "Corrigir 2 pagamentos iguais" }));
  await asked.findByText("Vale para 2 pagamentos:");
});
