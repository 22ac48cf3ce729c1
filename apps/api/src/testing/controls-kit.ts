/**
 * Payments in a company with controls: approvers, policies in force, and approval requests as the screens send them.
 */
import { randomUUID } from "node:crypto";
import { approveBatch, readBatchApprovals, sendBatchToApproval } from "@malote/contracts/batch-life";
import {
  approveRequest,
  type ControlPolicyOnWire,
  listApprovalRequests,
  readControls,
  rejectRequest,
  saveControls,
} from "@malote/contracts/controls";
import { createCredential } from "@malote/contracts/developer";
import { authorize } from "@malote/contracts/session";
import { withdrawBalance } from "@malote/contracts/statement";
import { createUser } from "@malote/contracts/users";
import { type ControlPolicy, firstPolicy } from "@malote/domain/controls";
import { cents } from "@malote/domain/money";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Mail } from "../ports/mailer.ts";
import type { Answer } from "./answer.ts";
import type { Person } from "./app.ts";
import { auroraId, batch, draft, openPayments, type PaymentsKit, pix } from "./payments-kit.ts";

const [aurora] = demoCompanies;
const idOfDemo = (email: string) => aurora?.users.find((user) => user.email === email)?.id ?? "";
export const [helenaId, ruiId, anaId] = [
  idOfDemo("helena@aurora.example"),
  idOfDemo("rui@aurora.example"),
  idOfDemo("ana@aurora.example"),
];

type Profile = "admin" | "operator" | "analyst";

export interface ControlsKit extends PaymentsKit {
  query(text: string, values?: unknown[]): Promise<Record<string, string>[]>;
  fetchId(email: string): Promise<string>;
  /** Creates and signs in a person whose access is old enough to approve. */
  colleague(email?: string, name?: string, profile?: Profile): Promise<Person>;
  /** Invites a person by a call and lets them choose a password. */
  addPerson(by: Person, email: string, profile: Profile): Promise<Person>;
  /** Puts a policy in force for so many hours by the kit's clock, as if both admins had agreed. */
  inForce(changes: Partial<ControlPolicy>, hours?: number): Promise<void>;
  /** Returns the token of the credential that came with the installation, which has no recorded creator. */
  installed(): Promise<string>;
  /** Returns the token of a credential that the person creates for it. */
  fetchCredential(by: Person): Promise<string>;
  byMachine(token: string, contract: Parameters<PaymentsKit["call"]>[0], input: object): Promise<Answer>;
  /** Returns the e-mails sent after the previous call. */
  newMails(): Promise<Mail[]>;
  /** Returns `address subject` of each new e-mail. */
  subjects(): Promise<string[]>;
  /** Ages the identity confirmation of all people beyond its validity. */
  ageConfirmations(): Promise<void>;
}

export async function openControls({
  balance = 100_000_00,
  ...options
}: { balance?: number } & Parameters<typeof openPayments>[0] = {}): Promise<ControlsKit> {
  const kit = await openPayments(options);
  if (balance > 0) await kit.deposit(balance);
  const query: ControlsKit["query"] = async (text, values = []) =>
    (await kit.services.db.pool.query(text, values)).rows;
  const machine = async (credential: { client_id: string; client_secret: string }): Promise<string> =>
    (await kit.call(authorize, { body: { grant_type: "client_credentials", ...credential } })).body
      .access_token;

  async function newMails() {
    await kit.drainJobs();
    return kit.mails.splice(0);
  }

  return {
    ...kit,
    query,
    fetchId: async (email) =>
      (await query("SELECT id FROM users WHERE email = $1 AND removed_at IS NULL", [email]))[0]?.id ?? "",
    async colleague(email = "segunda@aurora.example", name = "Segunda Admin", profile = "admin") {
      const [made] = await query(
        `INSERT INTO users (company_id, id, name, email, password_hash, profile, applications, created_at)
         SELECT company_id, uuidv7(), $2, $1, password_hash, $3, applications, created_at FROM users WHERE id = $4
         RETURNING id`,
        [email, name, profile, helenaId],
      );
      await query(
        "INSERT INTO sign_in_names (name, kind, company_id, subject_id) VALUES ($1, 'user', $2, $3)",
        [email, auroraId, made?.id],
      );
      return kit.as(email);
    },
    async addPerson(by, email, profile) {
      const body = { name: "Pessoa Nova", email, profile, applications: ["payments", "validation"] };
      const made = await by.call(createUser, { body });
      if (made.status !== 200) throw new Error(JSON.stringify(made.body));
      await query(
        "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE id = $1) WHERE email = $2",
        [helenaId, email],
      );
      return kit.as(email);
    },
    async inForce(changes, hours = 0) {
      const at = new Date(kit.clock.now().getTime() - hours * 3_600_000);
      await query(
        `INSERT INTO control_policies (company_id, version, policy, in_force_at, made_at, made_by, made_by_name)
         SELECT $1, coalesce(max(version), 0) + 1, $2, $3, $3, $4, 'Helena Prado' FROM control_policies WHERE company_id = $1`,
        [auroraId, JSON.stringify({ ...firstPolicy, ...changes }), at, helenaId],
      );
    },
    installed: () =>
      machine({
        client_id: aurora?.credential.clientId ?? "",
        client_secret: aurora?.credential.clientSecret ?? "",
      }),
    async fetchCredential(by) {
      const { client_id, client_secret } = (await by.call(createCredential, { body: {} })).body;
      return machine({ client_id, client_secret });
    },
    byMachine: (token, contract, input) =>
      kit.call(contract, input, { token, headers: { "idempotency-key": randomUUID() } }),
    newMails,
    subjects: async () => (await newMails()).map(({ to, subject }) => `${to} ${subject}`),
    ageConfirmations: async () => {
      await query("UPDATE sessions SET confirmed_at = confirmed_at - interval '6 minutes'");
    },
  };
}

/** Builds bands from pairs of amount and number of approvers. */
export const bandsOf = (...given: readonly [from: number, approvers: number][]) =>
  given.map(([from, approvers]) => ({ from: cents(from), approvers }));

export const withdraw = (by: Person, value = 1_000_00, headers: Record<string, string> = {}) =>
  by.call(withdrawBalance, { body: { value } }, { "idempotency-key": randomUUID(), ...headers });

export const fetchRequests = async (by: Person) => (await by.call(listApprovalRequests)).body.data;
export const approveOne = (by: Person, { id, digest }: { id: string; digest: string }, headers = {}) =>
  by.call(
    approveRequest,
    { params: { id }, body: { digest } },
    { "idempotency-key": randomUUID(), ...headers },
  );
export const rejectOne = (by: Person, id: string, reason?: string) =>
  by.call(rejectRequest, { params: { id }, body: reason ? { reason } : {} });

export const send = (by: Person, id: string) => by.call(sendBatchToApproval, { params: { id }, body: {} });
export const fetchApprovals = async (by: Person, id: string) =>
  (await by.call(readBatchApprovals, { params: { id } })).body;
/** Approves as the screen does, with the revision and content that it showed. */
export async function approve(by: Person, id: string, headers: Record<string, string> = {}): Promise<Answer> {
  const [{ revision }, { digest }] = await Promise.all([batch(by, id), fetchApprovals(by, id)]);
  return by.call(
    approveBatch,
    { params: { id }, body: { revision, digest } },
    { "idempotency-key": randomUUID(), ...headers },
  );
}
export async function sentToApproval(by: Person, transfers = [pix(100_00)]): Promise<string> {
  const { id } = await draft(by, transfers);
  const answer = await send(by, id);
  if (answer.body.status !== "WAITING_APPROVAL") throw new Error(JSON.stringify(answer.body));
  return id;
}

/** Saves the policy that is current at that moment, with changes. */
export async function save(by: Person, changes: Partial<ControlPolicyOnWire>, version?: number) {
  const { body } = await by.call(readControls);
  return by.call(saveControls, {
    body: { version: version ?? body.version, policy: { ...body.policy, ...changes } },
  });
}

/** Returns the person with another token of theirs. */
export const bearing = (kit: PaymentsKit, person: Person, token: string): Person => ({
  ...person,
  token,
  call: (contract, input, headers = {}) => kit.call(contract, input, { token, headers }),
});
