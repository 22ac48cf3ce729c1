/** Creates, changes and removes people of a company in tests. */
import { changeUser, createUser, listUsers, removeUser, type User } from "@malote/contracts/users";
import { sql } from "kysely";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { DemoPeople, TestApp } from "./app.ts";

export const [aurora, horizonte] = [demoCompanies[0]!, demoCompanies[1]!];

export const [helenaId, ruiId, anaId] = aurora.users.map(({ id }) => id) as [string, string, string];

let count = 0;

export const fresh = (given: object = {}) => ({
  name: `Nova Pessoa ${++count}`,
  email: `nova.${count}@aurora.example`,
  profile: "operator",
  applications: ["payments"],
  ...given,
});

export function userCalls(app: () => TestApp, people: () => DemoPeople) {
  /** Moves earlier e-mails back by an hour, so that each test has its own hourly limit. */
  const letAnHourPass = () =>
    app().services.db.pool.query(
      "UPDATE audit_entries SET at = at - interval '1 hour' WHERE action LIKE 'user.%'",
    );

  const inCompany = <Row extends object>(companyId: string, text: string) =>
    app().services.db.withCompany(companyId, async (tx) => (await sql.raw<Row>(text).execute(tx)).rows);

  const readEntries = (subjectId: string) =>
    inCompany<{ action: string; actor_name: string; detail: object }>(
      aurora.id,
      `SELECT action, actor_name, detail FROM audit_entries WHERE subject_id = '${subjectId}' AND action LIKE 'user.%' ORDER BY id`,
    );

  const created = async (given: object = {}, by = people().helena): Promise<User> => {
    const answer = await by.call(createUser, { body: fresh(given) });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };

  /** Creates a user with the demo password, who can sign in. */
  const withPassword = async (given: object = {}): Promise<User> => {
    const user = await created(given);
    await inCompany(
      aurora.id,
      `UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE id = '${helenaId}') WHERE id = '${user.id}'`,
    );
    return user;
  };

  const change = (id: string, body: object, by = people().helena) =>
    by.call(changeUser, { params: { id }, body });

  const remove = (id: string, by = people().helena) => by.call(removeUser, { params: { id } });

  const list = async (query: Record<string, string> = {}, by = people().helena) =>
    (await by.call(listUsers, { query })).body;

  return { letAnHourPass, inCompany, readEntries, created, withPassword, change, remove, list };
}
