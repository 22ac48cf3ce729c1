/**
 * Every way to send money against the controls of the company, each used by one person alone. The proof covers a new
 * contract that sends money automatically: the calls are those of `good-calls.ts`, which R4 makes without any controls.
 */
import { randomUUID } from "node:crypto";
import { saveCompanyBankAccount } from "@malote/contracts/company";
import { bases, type Contract } from "@malote/contracts/contract";
import { saveControls } from "@malote/contracts/controls";
import { createCredential } from "@malote/contracts/developer";
import { changeTransfer } from "@malote/contracts/transfers";
import { type ControlPolicy, firstPolicy } from "@malote/domain/controls";
import { cents } from "@malote/domain/money";
import { sql } from "kysely";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { policyOnWire } from "../../apps/api/src/controls/save-policy.ts";
import type { Tx } from "../../apps/api/src/platform/db/database.ts";
import { auroraId, openPayments, type PaymentsKit, pix } from "../../apps/api/src/testing/payments-kit.ts";
import { receivePix } from "../../apps/api/src/testing/received-money.ts";
import { chanceOf } from "../chance.ts";
import { type GoodCall, idempotentContracts } from "../concurrency/good-calls.ts";
import { makeFailed } from "../concurrency/two-processes.ts";
import { proof } from "../proof.ts";

/** Calls that no control covers, with the reason; a blocked company makes none of these either. */
const free: Readonly<Record<string, string>> = {
  createValidation: "sends one centavo to find out whose an account is, within the limits",
  validateDraftAccount: "sends one centavo to find out whose an account is, within the limits",
};

const withBands = (approvers: number): ControlPolicy => ({
  ...firstPolicy,
  bands: [
    { from: cents(0), approvers: 0 },
    { from: cents(50), approvers },
  ],
});
const helenaId = demoCompanies[0]?.users.find(({ profile }) => profile === "admin")?.id ?? "";
const ruiId = demoCompanies[0]?.users.find(({ profile }) => profile === "operator")?.id ?? "";

const policies: Readonly<Record<string, ControlPolicy>> = {
  "another person": { ...firstPolicy, requiresOtherApprover: true },
  "one person from an amount on": withBands(1),
  "two people from an amount on": withBands(2),
  "three people from an amount on": withBands(3),
  "another person, operators named": {
    ...firstPolicy,
    requiresOtherApprover: true,
    operatorApprovers: [ruiId],
  },
};

/** A single person, recorded as the preparer. */
interface Maker {
  who: string;
  id: string;
  token: string;
}

/** Amounts that pass alone, sent earlier by the same person: the control applies to their sum. */
interface Pieces {
  pieces?: readonly GoodCall["input"][];
}

/** A call that lets money out, or defines its destination, with a check of its effect. */
interface Way {
  name: string;
  contract: Contract;
  prepare(tx: Tx, now: Date, value: number): Promise<Omit<GoodCall, "contract"> & Pieces>;
  /** The call defines where money will go, and moves none. */
  isSetting?: true;
  /** Differs as soon as the call had its effect. */
  state(kit: PaymentsKit): Promise<string>;
}

const one = async (kit: PaymentsKit, query: string): Promise<string> =>
  JSON.stringify((await kit.services.db.pool.query(query, [auroraId])).rows);

const moneyState = (kit: PaymentsKit) =>
  one(kit, "SELECT account, balance FROM ledger_accounts WHERE company_id = $1 ORDER BY 1");

function waysOut(): Way[] {
  const ofMoney = idempotentContracts().map(({ contract, make }) => ({
    name: contract.id,
    contract,
    state: moneyState,
    async prepare(tx: Tx, now: Date, value: number) {
      const [call] = await make(tx, now, [value]);
      if (!call) throw new Error(`no call of ${contract.id} was made`);
      return call;
    },
  }));
  return [
    ...ofMoney,
    {
      name: "changeTransfer of a failed payment",
      contract: changeTransfer,
      state: (kit) => one(kit, "SELECT id, pix_key, status FROM transfers WHERE company_id = $1 ORDER BY 1"),
      async prepare(tx, now, value) {
        await receivePix(tx, now, [value]);
        const [failed] = await makeFailed(tx, now, [value]);
        const { batchId: id = "", transferId: tid = "" } = failed ?? {};
        const destination_bank_account = {
          name: "Outra Pessoa",
          pix_key_type: "EMAIL",
          pix_key: "outra@exemplo.com.br",
        } as const;
        const input = { params: { id, tid }, body: { ...pix(value), destination_bank_account } };
        return { input, changed: input, moves: -value };
      },
    },
    {
      name: "changeTransfer of failed payments in pieces",
      contract: changeTransfer,
      state: (kit) => one(kit, "SELECT id, pix_key, status FROM transfers WHERE company_id = $1 ORDER BY 1"),
      async prepare(tx, now) {
        const value = 30;
        await receivePix(tx, now, [2 * value]);
        const [first, last] = (await makeFailed(tx, now, [value, value])).map(
          ({ batchId: id, transferId: tid }, n) => {
            const pix_key = `pedaco${n}.${tid}@exemplo.com.br`;
            const destination_bank_account = {
              name: "Outra Pessoa",
              pix_key_type: "EMAIL",
              pix_key,
            } as const;
            return { params: { id, tid }, body: { ...pix(value), destination_bank_account } };
          },
        );
        if (!first || !last) throw new Error("no failed payments were made");
        return { input: last, changed: last, moves: -value, pieces: [first] };
      },
    },
    {
      name: "saveCompanyBankAccount",
      contract: saveCompanyBankAccount,
      isSetting: true,
      state: (kit) => one(kit, "SELECT account FROM company_bank_accounts WHERE company_id = $1"),
      async prepare() {
        const input = {
          body: {
            bank_id: "60701190",
            agency: "4321",
            agency_digit: null,
            account_type: "CONTA_CORRENTE",
            account: "98765",
            account_digit: "5",
            name: "Aurora Papelaria e Serviços Ltda",
            cpfCnpj: "27418639000148",
          },
        };
        return { input, changed: input, moves: -1 };
      },
    },
    {
      name: "saveControls",
      contract: saveControls,
      isSetting: true,
      state: (kit) => one(kit, "SELECT count(*) FROM control_policies WHERE company_id = $1"),
      async prepare(tx) {
        const { rows } = await sql<{ version: number }>`
          SELECT coalesce(max(version), 0)::int AS version FROM control_policies WHERE company_id = ${tx.companyId}
        `.execute(tx);
        const policy = { ...policyOnWire(firstPolicy), quarantine_hours: 0 };
        const input = { body: { version: rows[0]?.version, policy } };
        return { input, changed: input, moves: -1 };
      },
    },
  ];
}

/** Returns the state including payments that leave the balance unchanged because their money was reserved before. */
const sentState = async (kit: PaymentsKit): Promise<string> =>
  `${await moneyState(kit)} ${await one(kit, "SELECT id, status, attempt FROM transfers WHERE company_id = $1 ORDER BY 1")}`;

/** Makes the calls for a blocked company. Returned money is not an outflow. */
async function blocked(kit: PaymentsKit, ways: readonly Way[], by: Maker, value: () => number) {
  const setTo = (is: boolean) =>
    kit.services.db.pool.query("UPDATE companies SET blocked = $2 WHERE company_id = $1", [auroraId, is]);
  const faults: string[] = [];
  let tried = 0;
  const inValidation = { ...by, token: (await kit.as("helena@aurora.example", "validation")).token };
  await setTo(true);
  for (const way of ways) {
    if (way.isSetting) continue;
    const byOf = way.contract.base === "contacerta" ? inValidation : by;
    const seen = await alone(kit, { ...way, state: sentState }, byOf, value(), { isOwn: false });
    if (seen.moves > 0) continue;
    tried++;
    if (seen.before !== seen.after || !seen.answer.includes("company_blocked"))
      faults.push(`blocked: ${way.name}: ${seen.answer}`);
  }
  await setTo(false);
  return { faults, tried };
}

const all = Object.keys(policies).length;

proof(
  "S14",
  "lets no single person send money by any outflow if another person is required, and no one if the company is blocked",
  { unit: "policies", short: all, reduced: all, full: all },
  async ({ count, seed, report }) => {
    const kit = await openPayments();
    const chance = chanceOf(seed);
    const everyWay = waysOut();
    const ways = everyWay.filter(({ contract }) => !(contract.id in free));
    const faults: string[] = [];
    const missed: string[] = [];
    const answers: Record<string, number> = {};
    let tried = 0;
    try {
      const makers = await makersOf(kit);
      const [helena] = makers;
      // The same calls where no other approver is demanded: each has its effect, so the check of the effect sees it.
      for (const way of ways) {
        const { isOut, before, after, answer } = await alone(
          kit,
          way,
          helena,
          chance.between(60_00, 900_00),
          {
            isOwn: false,
          },
        );
        if (isOut && before === after) missed.push(`${way.name} without controls: ${answer}`);
      }
      const ofBlocked = await blocked(kit, everyWay, helena, () => chance.between(60_00, 900_00));
      faults.push(...ofBlocked.faults);
      await addAdmins(kit, 4);
      // Without this, every withdrawal would be refused for its new account and not for the controls.
      await kit.services.db.pool.query("UPDATE company_bank_accounts SET changed_at = NULL");
      const chosen = Object.entries(policies)
        .toSorted(() => chance.share() - 0.5)
        .slice(0, count);
      for (const [name, policy] of chosen) {
        await putInForce(kit, policy);
        for (const way of ways)
          for (const by of makers) {
            const value = chance.between(60_00, 900_00);
            const { isOut, before, after, answer } = await alone(kit, way, by, value, { isOwn: true });
            if (!isOut) continue;
            tried++;
            const word = /"code":"(\w+)"/.exec(answer)?.[1] ?? answer.slice(0, 3);
            answers[word] = (answers[word] ?? 0) + 1;
            if (before !== after) faults.push(`${name}: ${way.name} by ${by.who} alone: ${answer}`);
            if (answer.startsWith("5")) faults.push(`${name}: ${way.name} by ${by.who} fell over: ${answer}`);
          }
        report(`${name}: ${tried} tries, ${faults.length} faults, ${JSON.stringify(answers)}`);
      }
      faults.push(...(await kit.faults()).map(({ rule, where }) => `books: ${rule} (${where})`));
      return {
        faults,
        figures: { ways: ways.length, tried, blocked: ofBlocked.tried, ...answers },
        planted: { count: ways.length, missed },
      };
    } finally {
      await kit.close();
    }
  },
);

/** Lets one person make and use the call, without any other person. */
async function alone(kit: PaymentsKit, way: Way, by: Maker, value: number, { isOwn }: { isOwn: boolean }) {
  const {
    input,
    moves,
    pieces = [],
  } = await kit.services.db.withCompany(auroraId, async (tx) => {
    const call = await way.prepare(tx, kit.clock.now(), value);
    if (isOwn) await ownedBy(tx, by);
    return call;
  });
  const ask = (asked: GoodCall["input"]) =>
    kit.call(way.contract, asked, { token: by.token, headers: { "idempotency-key": randomUUID() } });
  for (const piece of pieces) await ask(piece);
  const before = await way.state(kit);
  const { status, body } = await ask(input);
  return {
    // Money that comes back needs no approval.
    isOut: moves < 0,
    moves,
    before,
    after: await way.state(kit),
    answer: `${status} ${JSON.stringify(body).slice(0, 150)}`,
  };
}

/** Attributes a credential without a recorded creator to this person. */
async function ownedBy(tx: Tx, { id }: Maker): Promise<void> {
  await sql`
    UPDATE batches SET edited_by = ARRAY[${id}::uuid] WHERE company_id = ${tx.companyId} AND edited_by = '{}'
  `.execute(tx);
  await sql`
    UPDATE approval_requests SET requested_by = ${id}, preparers = ARRAY[${id}::uuid]
    WHERE company_id = ${tx.companyId} AND status = 'pending' AND digest = 'as it was asked for'
  `.execute(tx);
}

/** Returns an admin, an operator, the admin's own credential and one without a recorded creator. */
async function makersOf(kit: PaymentsKit): Promise<[Maker, ...Maker[]]> {
  const credential = demoCompanies[0]?.credential;
  const made = await kit.admin.call(createCredential, { body: { name: "ERP" } });
  const { client_id, client_secret } = made.body;
  const tokenOf = async (id: string, secret: string): Promise<string> => {
    const body = { grant_type: "client_credentials", client_id: id, client_secret: secret };
    return (await kit.send("POST", `${bases.login}/authorize`, body)).body.access_token;
  };
  const [known] = (
    await kit.services.db.pool.query<{ id: string }>(
      "SELECT subject_id AS id FROM sign_in_names WHERE kind <> 'user' AND name = $1",
      [credential?.clientId],
    )
  ).rows;
  return [
    { who: "an admin", id: helenaId, token: kit.admin.token },
    { who: "an operator", id: ruiId, token: kit.operator.token },
    { who: "an admin's credential", id: helenaId, token: await tokenOf(client_id, client_secret) },
    {
      who: "a credential without a known maker",
      id: known?.id ?? "",
      token: await tokenOf(credential?.clientId ?? "", credential?.clientSecret ?? ""),
    },
  ];
}

/** Adds people who could approve, so that a request waits for them instead of being refused for lack of approvers. */
async function addAdmins(kit: PaymentsKit, count: number): Promise<void> {
  await kit.services.db.pool.query(
    `INSERT INTO users (company_id, id, name, email, password_hash, profile, applications, created_at)
     SELECT company_id, uuidv7(), 'Administradora ' || n, 'admin' || n || '@aurora.example', password_hash, 'admin',
       applications, created_at FROM users, generate_series(1, $2::int) n WHERE id = $1`,
    [helenaId, count],
  );
}

async function putInForce(kit: PaymentsKit, policy: ControlPolicy): Promise<void> {
  await kit.services.db.pool.query(
    `INSERT INTO control_policies (company_id, version, policy, in_force_at, made_at, made_by, made_by_name)
     SELECT $1, coalesce(max(version), 0) + 1, $2, $3, $3, $4, 'Helena Prado' FROM control_policies WHERE company_id = $1`,
    [auroraId, JSON.stringify(policy), kit.clock.now(), helenaId],
  );
}
