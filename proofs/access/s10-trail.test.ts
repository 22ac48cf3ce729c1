import { randomUUID } from "node:crypto";
import { type Contract, contract } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { adminOnly } from "@malote/contracts/policy";
import { done } from "@malote/contracts/wire";
import { writeBrCode } from "@malote/domain/br-code";
import { sql } from "kysely";
import { demoCompanies, demoPassword } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { refusalsRecordedPerHourMax } from "../../apps/api/src/platform/http/record-refusals.ts";
import { barcodeOf } from "../../apps/api/src/testing/boletos.ts";
import { proof } from "../proof.ts";
import { ask, bearing, type Environment, openEnvironment } from "./environment.ts";
import { companyTables, fillCompany, isId, type Row, rowsOf } from "./records.ts";
import { type Input, inputOf, type Schema, shapesOf, slotsOf } from "./schemas.ts";
import { fingerprint, undoing } from "./undone.ts";

/** A company's own code without an amount. */
const staticPixCode = writeBrCode({
  key: "joana@exemplo.com.br",
  merchantName: "Joana Prado",
  merchantCity: "SAO PAULO",
});

/** Bodies that no schema can express, because their content must match a person's data. */
const bodies: Readonly<Record<string, unknown>> = {
  changePassword: { oldPassword: demoPassword, newPassword: "Outra-senha-2026!" },
  changeCompanySettings: { reply_to_email: "respostas@horizonte.example" },
  withdrawBalance: { value: 1_00 },
  changeCompany: { phone: "0800 123 4567" },
  createUser: {
    name: "Pessoa Nova",
    email: "pessoa.nova@horizonte.example",
    profile: "analyst",
    applications: ["payments"],
  },
  createValidationUser: {
    name: "Pessoa Nova",
    email: "pessoa.nova@horizonte.example",
    profile: "analyst",
    applications: ["validation"],
  },
  changeValidationCompany: { phone: "08001234567" },
  createValidation: { pix_key_type: "EMAIL", pix_key: "alguem.novo@exemplo.com.br" },
  validateDraftAccount: { pix_key_type: "EMAIL", pix_key: "alguem.novo@exemplo.com.br" },
  createPixKey: { key_type: "CHAVE_ALEATORIA" },
  createPaymentLink: {
    name: "Frete de agosto",
    amount: 90_00,
    expires_at: "2026-12-31T12:00:00Z",
    payment_methods: ["pix"],
  },
  lookUpPixKey: { pix_key_type: "EMAIL", pix_key: "joana@exemplo.com.br" },
  lookUpPixCode: { emv: staticPixCode },
  lookUpBoleto: { barcode: barcodeOf(91_00) },
  createReceiver: { pix_key_type: "EMAIL", pix_key: "alguem.novo@exemplo.com.br" },
  createPayoutReport: {
    created_at__gte: "2026-08-01",
    created_at__lte: "2026-08-31",
    status__in: ["CREATED"],
  },
  requestStatementXlsx: { initialDate: "2026-08-01", endDate: "2026-08-31" },
  requestStatementXlsxV2: { initialDate: "2026-08-01", endDate: "2026-08-31" },
  requestStatementCsv: { initialDate: "2026-08-01", endDate: "2026-08-31" },
  changeMe: { name: "Marcos de Souza Vidal" },
  saveControls: {
    version: 0,
    policy: {
      // The company under test has no other person who could approve.
      requires_other_approver: false,
      bands: [{ from: 0, approvers: 0 }],
      operator_approvers: [],
      step_up_from: null,
      operators_may_withdraw: true,
      operators_may_correct: true,
      operators_may_give_back: true,
      quarantine_hours: 36,
    },
  },
  saveCompanyBankAccount: {
    bank_id: "60701190",
    agency: "1234",
    agency_digit: null,
    account_type: "CONTA_CORRENTE",
    account: "56789",
    account_digit: "7",
    name: "Horizonte Logística Ltda",
    cpfCnpj: "48L7XQ9B000106",
  },
};

/** Digest of the approved content, which the approval sends back so that exactly this content is executed. */
const digestOfRequest = /^[0-9a-f]{64}$/;

/** Returns the failed boleto, because the failed transfer waits for approval. Its receiver's id precedes its own. */
const failedBoleto = (rows: readonly Row[]) =>
  rows
    .find(({ kind }) => kind === "transfers FAILED of billets RECEIVED")
    ?.values.filter(isId)
    .slice(1, 2);

/** Bodies whose content must match a record of the caller. */
const bodiesOf: Readonly<Record<string, (rows: readonly Row[]) => unknown>> = {
  approveRequest: (rows) => ({
    digest: rows
      .find(({ kind }) => kind === "approval_requests pending")
      ?.values.find((value) => digestOfRequest.test(value)),
  }),
  returnFailures: (rows) => ({ ids: failedBoleto(rows) }),
  approveInfractions: (rows) => ({
    infraction_ids: rows
      .find(({ kind }) => kind === "infractions pending")
      ?.values.filter(isId)
      .slice(0, 1),
    analysis: "accepted",
  }),
};

/** Calls without a body that this proof can send, or without an effect, with their replacement. */
const apart: Readonly<Record<string, string>> = {
  confirmBatchChecks:
    "needs the fingerprint of what was read: its entry is looked for where checks are tested",
  resendFailures: "needs the ticks of what was read: its entry is looked for where failures are tested",
  setBatchReconciled: "needs a batch that is done: its entry is looked for where batches are reconciled",
  depositBalance: "says where money is sent and changes nothing",
  markNotificationsSeen: "changes nothing but how far the person has looked",
  approveBatch: "the action of closeBatch, whose entry is looked for, for a batch that waits for an approval",
  requestBoletoReceipts:
    "the action of requestReceipts, whose entry is looked for, under the address of boletos",
  requestBatchReport: "asks for a file, and changes nothing but what the person is known to have done",
  importBoletoSheet: "a form: its entry is looked for where uploads are tested",
  setValidationTwoFactor: "needs an authenticator: its entry is looked for where factors are tested",
  uploadSheet: "a form: its entry is looked for where uploads are tested",
  uploadLogo: "a form: its entry is looked for where logos are tested",
  verifyPixKey: "needs the code of a message: its entry is looked for where keys are tested",
  answerInfraction: "a form: its entry is looked for where defences are tested",
  makeRecoveryCodes: "needs an authenticator: its entry is looked for where factors are tested",
  resetTwoFactor: "needs a person with an authenticator: its entry is looked for where factors are tested",
  resetValidationTwoFactor:
    "needs a person with an authenticator: its entry is looked for where factors are tested",
  confirmIdentity: "needs the password: its entry is looked for where factors are tested",
  setTwoFactor: "needs an authenticator: its entry is looked for where factors are tested",
};

const changing = contracts.filter(({ method, policy }) => policy.access === "session" && method !== "GET");
const plantedCall = (id: string): Contract =>
  contract({
    id,
    base: "payments",
    method: "POST",
    path: `/app/planted/${id}`,
    summary: "planted",
    policy: adminOnly,
    response: done,
  });
const silent = plantedCall("silent");

proof(
  "S10",
  "writes exactly one entry for every change and every refusal, in the transaction of the change",
  { unit: "records a call", short: 1, reduced: 12, full: 100 },
  async ({ count }) => {
    const environment = await openEnvironment();
    try {
      return await walk(environment, count);
    } finally {
      await environment.close();
    }
  },
);

async function walk(environment: Environment, recordsMax: number) {
  const { kit } = environment;
  const [, company] = demoCompanies;
  if (!company) throw new Error("no caller to be");
  await fillCompany(environment, company);
  const rows = await rowsOf(kit, company);
  const tokensFor = (call: Contract) => environment.tokensFor(company, call);

  // Answers stored for a repetition change nothing.
  const tables = (await companyTables(kit)).filter((table) => table !== "idempotency_keys");
  const print = await kit.services.db.withSystem((tx) => fingerprint(tx, tables, company.id));

  /** Effects of the current request, read inside each of its transactions before the rollback. */
  let requestId = "";
  let entries = 0;
  let changed = false;
  const db = undoing(kit.services.db, async (tx) => {
    if ((await fingerprint(tx, tables, company.id)) !== print) changed = true;
    const { rows: found } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM audit_entries WHERE request_id = ${requestId}`.execute(tx);
    entries += found[0]?.count ?? 0;
  });
  const open = () =>
    environment.open({ db }, ({ serve }) =>
      serve(silent, async (tx) => {
        await sql`UPDATE companies SET name = name || '!' WHERE company_id = ${tx.companyId}`.execute(tx);
        return { ok: true };
      }),
    );
  let server = await open();

  async function entriesOf(call: Contract, input: Input, token = "") {
    requestId = randomUUID();
    entries = 0;
    changed = false;
    const key = { "idempotency-key": randomUUID(), "x-request-id": requestId };
    const { status } = await ask(server, call, input, { ...bearing(token), ...key });
    return { status, entries, changed };
  }

  let changes = 0;
  /** Undefined when the call left its entry with every record that it changed. */
  async function faultOf(call: Contract): Promise<string | undefined> {
    let worked = 0;
    for (const input of inputsOf(call, rows)) {
      const found = await entriesOf(call, input, tokensFor(call).admin);
      // A repeated call changes nothing that is done already, and needs no entry.
      if (found.status !== 200 || !found.changed) continue;
      worked++;
      changes++;
      if (found.entries !== 1) return `${call.id} left ${found.entries} entries`;
      if (worked >= recordsMax) break;
    }
    return worked === 0 ? `${call.id} was never done, so nothing is known of its entry` : undefined;
  }

  const faults: string[] = [];
  let refusals = 0;
  for (const call of changing) {
    if (!(call.id in apart)) {
      const fault = await faultOf(call);
      if (fault) faults.push(fault);
    }
    const refused = await entriesOf(call, {}, tokensFor(call).analyst);
    if (refused.status !== 403) continue;
    refusals++;
    // A process records a limited number of refusals of one bearer per hour; another bearer starts from zero.
    if (refusals % (refusalsRecordedPerHourMax - 1) === 0) server = await open();
    if (refused.entries !== 1) faults.push(`${call.id} refused left ${refused.entries} entries`);
  }
  const missed = (await faultOf(silent)) ? [] : ["a change that leaves no entry"];
  return {
    faults,
    figures: { calls: changing.length, changes, refusals },
    planted: { count: 1, missed },
  };
}

/** Yields requests that may succeed: each shape of the body, with each record in the places of the path. */
function* inputsOf(call: Contract, rows: readonly Row[]): Generator<Input> {
  const together = rows.map(({ values }) => values.filter(isId));
  for (const { body } of shapesOf(call)) {
    const frame = slotsOf(call, body).filter(({ part }) => part === "params");
    const slots = [...frame, ...(body ? neededIn(call, body) : [])];
    const filled = bodiesOf[call.id]?.(rows) ?? bodies[call.id];
    const one = (values: readonly string[]) => {
      const input = inputOf(
        call,
        body,
        slots.map((slot, at) => ({ slot, value: values[at] ?? "" })),
      );
      return filled ? { ...input, body: filled } : input;
    };
    if (slots.length === 0) yield one([]);
    if (slots.length === 1) for (const id of new Set(together.flat())) yield one([id]);
    if (slots.length === 2)
      for (const ids of together) for (const a of ids) for (const b of ids) if (a !== b) yield one([a, b]);
  }
}

/** Returns ids that a body requires; a list accepts any id. */
const neededIn = (call: Contract, body: Schema) =>
  slotsOf(call, body).filter(({ part, path: [name = "", ...deeper] }) => {
    return part === "body" && deeper.length === 0 && body.required?.includes(name);
  });
