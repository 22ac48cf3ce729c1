/** Encrypted values in the database: the keys they need, and how to replace a secret. */
import { listCompanies } from "../company/index.ts";
import { endTwoFactor, secondFactors } from "../identities/index.ts";
import { codesOfPixKeys } from "../pix-keys/index.ts";
import { keyIdOf, type Secrets } from "../platform/auth/secrets.ts";
import { WrongConfiguration } from "../platform/config.ts";
import type { Database, Tx } from "../platform/db/database.ts";
import { insertOperatorEntry } from "./entries.ts";
import { type Answer, answer } from "./usage.ts";

const columns = [secondFactors, codesOfPixKeys];

/**
 * Refuses a start with a secret that does not decrypt the stored values: otherwise users would be refused their second
 * factor one by one, later.
 */
export async function requireSecrets(db: Database, secrets: Secrets): Promise<void> {
  const [closed] = await listClosedKeys(db, secrets);
  if (closed === undefined) return;
  throw new WrongConfiguration([
    `O banco de dados guarda segredos cifrados com a chave ${closed}, que esta instalação não tem: informe o segredo dela em MALOTE_SECRET ou MALOTE_SECOND_SECRET. Se ele se perdeu, "npm run operator -- forget-secrets" apaga o que não pode mais ser lido.`,
  ]);
}

const withoutId = "anterior às identificações";

/** Returns the missing keys that stored values need; one value per key is enough to test it. */
async function listClosedKeys(db: Database, secrets: Secrets): Promise<string[]> {
  const found = await db.withSystem((tx) => Promise.all(columns.map((column) => column.oneOfEachKey(tx))));
  const values = found.flatMap(({ rows }) => rows.map(({ value }) => value));
  const closed = values.filter((value) => !secrets.canDecrypt(value));
  return [...new Set(closed.map((value) => keyIdOf(value) ?? withoutId))];
}

/** Shows how many values need each key. Key ids are not secret. */
export async function showKeys(db: Database, secrets: Secrets): Promise<Answer> {
  const found = await mapCompanies(db, async (tx) =>
    (await Promise.all(columns.map((column) => column.stored(tx)))).flatMap(({ rows }) => rows),
  );
  const counts = new Map<string, number>([[secrets.keyId, 0]]);
  for (const { value } of found.flat()) {
    const id = keyIdOf(value) ?? withoutId;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const closed = await listClosedKeys(db, secrets);
  const keys = [...counts].map(([id, count]) => {
    const state = id === secrets.keyId ? "newest" : closed.includes(id) ? "missing" : "second";
    return { id, count, state } as const;
  });
  const words = { newest: "a do que é novo", second: "ainda necessária", missing: "não está aqui" };
  return answer(keys, keys.map(({ id, count, state }) => `${id}  ${count}  ${words[state]}`).join("\n"));
}

/**
 * Re-encrypts all values with the first secret, so that none needs the second. Runs beside a running installation and
 * resumes after an interruption.
 */
export async function reencrypt(db: Database, secrets: Secrets, now: Date): Promise<Answer> {
  const done = await mapCompanies(db, async (tx) => {
    let [changed, left] = [0, 0];
    for (const column of columns)
      for (const { id, value } of (await column.stored(tx)).rows) {
        if (keyIdOf(value) === secrets.keyId) continue;
        if (!secrets.canDecrypt(value)) left++;
        else {
          await column.store(tx, id, secrets.encrypt(secrets.decrypt(value)));
          changed++;
        }
      }
    return { changed, left };
  });
  const changed = sumOf(done.map((one) => one.changed));
  const left = sumOf(done.map((one) => one.left));
  await db.withSystem((tx) =>
    insertOperatorEntry(tx, "secrets_reencrypted", { keyId: secrets.keyId, changed, left }, now),
  );
  const rest = left > 0 ? ` ${left} não puderam ser lidos: falta o segredo deles.` : "";
  return answer({ changed, left }, `${changed} segredos cifrados com a chave ${secrets.keyId}.${rest}`);
}

/** Deletes values whose secret is lost: the affected users sign in without a second factor and set it up again. */
export async function deleteLostSecrets(db: Database, secrets: Secrets, now: Date): Promise<Answer> {
  const done = await mapCompanies(db, async (tx) => {
    let forgotten = 0;
    for (const column of columns)
      for (const { id, value } of (await column.stored(tx)).rows) {
        if (secrets.canDecrypt(value)) continue;
        await column.store(tx, id, null);
        if (column === secondFactors) await endTwoFactor(tx, id, now);
        forgotten++;
      }
    return forgotten;
  });
  const forgotten = sumOf(done);
  await db.withSystem((tx) => insertOperatorEntry(tx, "secrets_forgotten", { forgotten }, now));
  return answer({ forgotten }, `${forgotten} segredos que ninguém mais pode ler foram apagados.`);
}

/** Runs `work` for each company in a transaction of its own. A retried transaction contributes only its last result. */
async function mapCompanies<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (const { id } of await db.withSystem(listCompanies)) done.push(await db.withCompany(id, work));
  return done;
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
