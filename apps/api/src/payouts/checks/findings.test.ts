/** All findings of a check, page by page, and what is compared with a key's holder when there is no document. */
import { saveBatch } from "@malote/contracts/batches";
import { readBatchChecks, readCheckFindings } from "@malote/contracts/checks";
import { listFailures } from "@malote/contracts/failures";
import { lookUpPixKey } from "@malote/contracts/lookups";
import { refusalStatuses } from "@malote/contracts/statuses";
import type { TransferInput } from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import { auroraId, closing, draft, openPayments, type PaymentsKit, pix } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const to = (
  pix_key: string,
  more: { name?: string; cpf_cnpj?: string; pix_key_type?: "EMAIL" | "CPF" } = {},
): TransferInput =>
  pix(10_00, {
    integration_id: null,
    destination_bank_account: { name: "Rita Lima", pix_key_type: "EMAIL", pix_key, ...more },
  });
const twins = (count: number) => Array.from({ length: count }, () => to("rita@exemplo.com.br"));

const fetchCheck = async (id: string, kind: string) =>
  (await kit.admin.call(readBatchChecks, { params: { id } })).body.data.find((one) => one.kind === kind);
const page = (id: string, kind: string, page_cursor?: string, by: Person = kit.admin) =>
  by.call(readCheckFindings, { params: { id, kind }, query: page_cursor ? { page_cursor } : {} });

/** The payments that the check shows, and those of every later page. */
async function everyone(id: string, kind: string) {
  const check = await fetchCheck(id, kind);
  const seen = check.findings.map(({ payment }: { payment: { id: string } }) => payment.id);
  const sizes = [seen.length];
  for (let next = check.next; next; ) {
    const { status, body } = await page(id, kind, next);
    expect(status).toBe(200);
    seen.push(...body.data.map(({ payment }: { payment: { id: string } }) => payment.id));
    sizes.push(body.data.length);
    next = body.meta.next;
  }
  return { count: check.count, seen, sizes };
}

const keptAt = () =>
  kit.services.db.withCompany(
    auroraId,
    async (tx) => (await sql<{ checked_at: Date }>`SELECT checked_at FROM batch_checks`.execute(tx)).rows,
  );

it.each(["Pape\u01c0aria Lima", "Pape\u0196aria Lima", "\u01bfapelaria Lima"])(
  "finds a new receiver named %s, with a click or an African character drawn as a usual one",
  async (name) => {
    const { id } = await draft(kit.admin, [to("rita@exemplo.com.br", { name })]);
    expect((await fetchCheck(id, "other_alphabet")).count).toBe(1);
  },
);

describe("the pages of a check", () => {
  it("are refused to a person of another company, for an unknown kind and for an unknown cursor", async () => {
    const { id } = await draft(kit.admin, twins(3));
    const params = { id, kind: "same_payment" };
    expect((await kit.call(readCheckFindings, { params, query: {} })).status).toBe(401);
    expect((await page(id, "same_payment", undefined, kit.stranger)).status).toBe(404);
    expect((await page(id, "sem_graca")).status).toBe(400);
    expect((await page(id, "same_payment", "20")).status).toBe(400);
    expect((await page(id, "same_payment", "-1.2-abc")).status).toBe(400);
    expect((await page(id, "same_payment", undefined, kit.analyst)).status).toBe(200);
  });

  it("are refused with a cursor from before the findings changed, because a person confirms what was read", async () => {
    const { id } = await draft(kit.admin, twins(30));
    const { next } = await fetchCheck(id, "same_payment");
    await kit.admin.call(saveBatch, { params: { id }, body: { name: "Lote", transfers: twins(1) } });
    const refused = await page(id, "same_payment", next);
    expect(refused).toMatchObject({ status: 409, body: { code: "checks_changed" } });
    expect(refusalStatuses(readCheckFindings)).toContain(refused.status);
  });

  it("contain every finding once, 20 with the check and then a hundred a page", async () => {
    const { id } = await draft(kit.admin, twins(222));
    const { count, seen, sizes } = await everyone(id, "same_payment");
    expect([count, sizes]).toEqual([221, [20, 100, 100, 1]]);
    expect(new Set(seen).size).toBe(221);
  });

  it("begin with the first without a cursor, and are empty if nothing was found", async () => {
    const { id } = await draft(kit.admin, twins(30));
    const check = await fetchCheck(id, "same_payment");
    const { body } = await page(id, "same_payment");
    expect(body.data.slice(0, 20)).toEqual(check.findings);
    expect(body).toMatchObject({ count: 29, fingerprint: check.fingerprint, meta: { next: null } });
    expect((await page(id, "value_far")).body).toEqual({
      kind: "value_far",
      count: 0,
      fingerprint: null,
      data: [],
      meta: { next: null },
    });
  });

  it("are read from stored findings for a large batch, and not computed again for each page", async () => {
    const many = 2_100;
    const { id } = await draft(kit.admin, [], "Folha");
    for (let n = 0; n < many; n += 300)
      await kit.admin.call(saveBatch, { params: { id }, body: { name: "Folha", transfers: twins(300) } });
    const { next } = await fetchCheck(id, "same_payment");
    expect((await page(id, "same_payment", next)).body.data).toHaveLength(100);
    const kept = await keptAt();
    kit.clock.advance({ minutes: 1 });
    const { count, seen } = await everyone(id, "same_payment");
    expect([count, new Set(seen).size, seen.length]).toEqual([many - 1, many - 1, many - 1]);
    expect(await keptAt()).toEqual(kept);
    // The check itself still reads only its first page.
    expect((await fetchCheck(id, "same_payment")).findings).toHaveLength(20);
  });
});

it("shows each resent payment with its findings to confirm, also after the twentieth", async () => {
  await kit.deposit(10_000_00);
  const failing = Array.from({ length: 25 }, () => to("chave.pix15@exemplo.com.br"));
  const { id } = await draft(kit.admin, failing);
  const { kind, fingerprint } = await fetchCheck(id, "same_payment");
  await closing(kit.admin, id, "0198f000-0000-7000-8000-00000000aa01", {
    confirmations: [{ kind, fingerprint }],
  });
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  const { body } = await kit.admin.call(listFailures, { params: { id } });
  const noted = body.data.filter(({ retry_checks }) => retry_checks.length > 0);
  expect([body.data.length, noted.length]).toEqual([25, 24]);
});

describe("a key whose holder no document confirms", () => {
  const texts = async (id: string) =>
    ((await fetchCheck(id, "holder_by_name"))?.findings ?? []).map(({ text }) => text);

  it("is listed with what was compared and what was not, other names first, and needs no confirmation", async () => {
    await kit.admin.call(lookUpPixKey, {
      body: { pix_key_type: "EMAIL", pix_key: "sem.nome@exemplo.com.br", name: "Ana Prado" },
    });
    const { id } = await draft(kit.admin, [
      to("rita@exemplo.com.br"),
      to("sem.nome@exemplo.com.br", { name: "Bento Reis" }),
      to("chave.pix25@exemplo.com.br", { name: "Caio Melo" }),
      to("maria@exemplo.com.br", { name: "Maria Souza", cpf_cnpj: "52998224725" }),
    ]);
    const nothing =
      "O titular da chave ainda não foi consultado: nem o nome nem o documento foram comparados";
    expect((await texts(id)).filter((text: string) => text === nothing)).toHaveLength(3);
    await kit.drainJobs();
    expect(await texts(id)).toEqual([
      expect.stringMatching(
        /^A chave é de Ana Prado, .+, e não de Bento Reis: só o nome foi comparado, porque o pagamento não traz documento$/,
      ),
      expect.stringMatching(
        /^A chave é de Rita Lima, .+, como o nome informado: o documento não foi comparado, porque o pagamento não traz um$/,
      ),
      nothing,
    ]);
    expect((await kit.admin.call(readBatchChecks, { params: { id } })).body.missing).toEqual([]);
  });

  it("is listed if the key is its holder's document and the names differ", async () => {
    const pix_key = "52998224725";
    await kit.admin.call(lookUpPixKey, { body: { pix_key_type: "CPF", pix_key, name: "Ana Prado" } });
    const { id } = await draft(kit.admin, [
      to(pix_key, { pix_key_type: "CPF", name: "Bento Reis" }),
      to(pix_key, { pix_key_type: "CPF", name: "Ana de Souza Prado" }),
    ]);
    expect(await texts(id)).toEqual([
      "A chave é o documento de Ana Prado, e não de Bento Reis: só o nome foi comparado",
    ]);
  });

  it("is paged like every other check, with looked-up keys first", async () => {
    await kit.admin.call(lookUpPixKey, {
      body: { pix_key_type: "EMAIL", pix_key: "rita@exemplo.com.br", name: "Rita Lima" },
    });
    const requested = twins(110);
    const notLookedUp = Array.from({ length: 40 }, (_, n) => to(`pessoa${n}@exemplo.com.br`));
    const { id } = await draft(kit.admin, [...notLookedUp, ...requested]);
    const { count, seen, sizes } = await everyone(id, "holder_by_name");
    expect([count, sizes, new Set(seen).size]).toEqual([150, [20, 100, 30], 150]);
  });
});
