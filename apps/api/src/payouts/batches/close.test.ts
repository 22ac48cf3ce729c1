/** Closing: permissions, refusals, and concurrent closings. */
import { randomUUID } from "node:crypto";
import { fixIssueGroup } from "@malote/contracts/batch-issues";
import { deleteBatch, rejectBatch, sendBatchToApproval } from "@malote/contracts/batch-life";
import { readBatch, saveBatch } from "@malote/contracts/batches";
import { addTransfer, changeTransfer, removeTransfer, removeTransfers } from "@malote/contracts/transfers";

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "../../company/store.ts";
import type { Person } from "../../testing/app.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
  pix,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const fetchStatus = async (id: string) => (await batch(kit.admin, id)).status;
const send = (by: Person, id: string, body: object = {}) =>
  by.call(sendBatchToApproval, { params: { id }, body });
const reject = (by: Person, id: string, reason?: string) =>
  by.call(rejectBatch, { params: { id }, body: reason === undefined ? {} : { reason } });
const remove = (by: Person, id: string) => by.call(deleteBatch, { params: { id } });
const requireOtherApprover = () =>
  kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { requiresOtherApprover: true }));

describe("refusals", () => {
  it("BAT-057 refuses every caller but an admin, and closes nothing", async () => {
    await kit.deposit(1_000_00);
    const { id } = await draft(kit.operator);
    const bare = await kit.send(
      "POST",
      `/api/payments/batch/${id}/close`,
      {},
      { headers: { "idempotency-key": "k" } },
    );
    expect(bare.status).toBe(401);
    expect((await closing(kit.operator, id)).status).toBe(403);
    expect((await closing(kit.analyst, id)).status).toBe(403);
    expect((await closing(kit.stranger, id)).body.code).toBe("not_found");
    expect((await closing(kit.admin, randomUUID())).body.code).toBe("not_found");
    expect((await closing(kit.admin, "1")).body.code).toBe("invalid_request");
    expect((await closing(kit.admin, id, "k", { revision: "two" })).body.code).toBe("invalid_request");
    expect((await closing(kit.admin, id, "")).body.code).toBe("not_acceptable_key");
    expect((await closing(kit.admin, id, "k".repeat(65))).body.code).toBe("not_acceptable_key");
    expect([await fetchStatus(id), await fetchBalance(kit.admin)]).toEqual(["DRAFT", 1_000_00]);
  });

  it("BAT-057 refuses a batch that is empty, has errors, has changed since it was shown, or is closed", async () => {
    await kit.deposit(1_000_00);
    const empty = await draft(kit.admin, []);
    expect((await closing(kit.admin, empty.id)).body.code).toBe("batch_empty");
    const wrong = await draft(kit.admin, [pix(1_00)]);
    await kit.admin.call(addTransfer, {
      params: { id: wrong.id },
      body: { value: null, destination_bank_account: {} },
    });
    expect((await closing(kit.admin, wrong.id)).body).toMatchObject({
      code: "batch_has_errors",
      data: { count: 1 },
    });
    const seen = await draft(kit.admin);
    await kit.operator.call(addTransfer, { params: { id: seen.id }, body: pix(5_00) });
    expect((await closing(kit.admin, seen.id, "k1", { revision: seen.revision })).body.code).toBe(
      "batch_changed",
    );
    expect((await closing(kit.admin, seen.id, "k2", { revision: seen.revision + 1 })).status).toBe(200);
    for (const at of ["PENDING", "RECEIVED", "FINISHED"]) {
      expect(await fetchStatus(seen.id)).toBe(at);
      expect((await closing(kit.admin, seen.id)).body.code).toBe("batch_not_draft");
      await kit.drainJobs();
      if (at === "RECEIVED") await kit.pass({ seconds: 1 });
    }
  });

  it("BAT-049 refuses payments whose day has passed, and TEDs for today after 16:30:00", async () => {
    await kit.deposit(1_000_00);
    const today = await draft(kit.admin, [
      ted(10_00, { payment_date: "2026-08-12" }),
      pix(1_00, { payment_date: "2026-08-12" }),
    ]);
    await kit.passUntil("2026-08-12T19:30:01Z");
    expect((await closing(kit.admin, today.id)).body).toMatchObject({
      code: "batch_has_expired_dates",
      data: { count: 1 },
    });
    expect((await send(kit.operator, today.id)).body.code).toBe("batch_has_expired_dates");
    // The day ends at midnight in São Paulo, not in London.
    await kit.passUntil("2026-08-13T02:59:59Z");
    expect((await closing(kit.admin, today.id)).body.data).toEqual({ count: 1 });
    await kit.passUntil("2026-08-13T03:00:00Z");
    expect((await closing(kit.admin, today.id)).body.data).toEqual({ count: 2 });
    const other = await draft(kit.admin, [ted(10_00, { payment_date: "2026-08-13" })]);
    await kit.passUntil("2026-08-13T19:30:00Z");
    expect((await closing(kit.admin, other.id)).body).toEqual({ is_batch_paid: true, status: "PENDING" });
  });

  it("BAT-063 refuses the creator's own approval when the company demands another person's", async () => {
    await kit.deposit(1_000_00);
    await requireOtherApprover();
    const own = await draft(kit.admin);
    expect((await closing(kit.admin, own.id)).body.code).toBe("approver_is_creator");
    expect((await send(kit.admin, own.id)).body.status).toBe("WAITING_APPROVAL");
    expect((await closing(kit.admin, own.id)).body.code).toBe("approver_is_creator");
    // An admin may still reject it.
    expect((await reject(kit.admin, own.id)).body.status).toBe("DRAFT");
    const theirs = await draft(kit.operator);
    expect((await send(kit.operator, theirs.id)).status).toBe(200);
    const { revision } = theirs;
    expect((await closing(kit.admin, theirs.id, undefined, { revision })).body.is_batch_paid).toBe(true);
  });
});

describe("closing", () => {
  it("BAT-057 STM-013 reserves the money in one entry of the statement, which leads to the batch, and pays", async () => {
    await kit.deposit(1_000_00);
    const { id } = await draft(kit.admin, [pix(100_00), pix(23_45)], "Folha de agosto");
    expect((await closing(kit.admin, id)).body).toEqual({ is_batch_paid: true, status: "PENDING" });
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({
      type: "BATCH",
      description: "Lote Folha de agosto",
      value: -123_45,
      balance: 876_55,
      complement: { batch_id: id },
    });
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 2, failed_count: 0 });
  });

  it("BAT-053 closes without balance for a validation account too, and sends nothing before the money arrives", async () => {
    await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { validationAccount: true }));
    const { id } = await draft(kit.admin, [pix(100_00)]);
    expect((await closing(kit.admin, id)).body).toEqual({ is_batch_paid: false, status: "WAITING" });
    await kit.drainJobs();
    expect((await batch(kit.admin, id)).transfers[0].status).toBe("CREATED");
    await kit.deposit(100_00);
    await kit.pass({ seconds: 1 });
    expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 1 });
  });

  it("BAT-057 repeats its answer to the same request byte for byte, and refuses its key for another request", async () => {
    await kit.deposit(1_000_00);
    const [one, two] = [await draft(kit.admin), await draft(kit.admin)];
    const raw = (id: string, body: object) =>
      kit.server.inject({
        method: "POST",
        url: `/api/payments/batch/${id}/close`,
        headers: { authorization: `Bearer ${kit.admin.token}`, "idempotency-key": "agosto" },
        payload: body,
      });
    const first = await raw(one.id, {});
    await kit.pass({ seconds: 5 });
    const again = await raw(one.id, {});
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await raw(one.id, { revision: 2 })).json().code).toBe("idempotency_key_reused");
    expect((await raw(two.id, {})).json().code).toBe("idempotency_key_reused");
    // A refusal is not stored as the answer: the same request succeeds once the batch is corrected.
    const empty = await draft(kit.admin, []);
    expect((await closing(kit.admin, empty.id, "later")).body.code).toBe("batch_empty");
    await kit.admin.call(addTransfer, { params: { id: empty.id }, body: pix(1_00) });
    expect((await closing(kit.admin, empty.id, "later")).status).toBe(200);
    expect(await fetchBalance(kit.admin)).toBe(899_00);
  });

  it("BAT-057 lets exactly one of sixty-four concurrent closings in two processes win, whatever their keys", async () => {
    await kit.deposit(1_000_00);
    const other = await kit.another();
    const { id } = await draft(kit.admin);
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        closing(n % 2 ? kit.admin : other.admin, id, n % 4 < 2 ? "same" : randomUUID()),
      ),
    );
    const won = answers.filter((answer) => answer.status === 200 && !answer.headers["idempotent-replayed"]);
    expect(won).toHaveLength(1);
    const others = answers.filter((answer) => answer.status !== 200).map((answer) => answer.body.code);
    expect(new Set([...others, "batch_not_draft", "idempotency_in_progress"])).toEqual(
      new Set(["batch_not_draft", "idempotency_in_progress"]),
    );
    expect(await fetchBalance(kit.admin)).toBe(900_00);
    await other.drainJobs();
    await kit.drainJobs();
    await other.close();
  });

  it("BAT-053 reserves money for exactly as many concurrently closed batches as the balance covers", async () => {
    await kit.deposit(100_00);
    const other = await kit.another();
    const drafts = await Promise.all(Array.from({ length: 24 }, () => draft(kit.admin, [pix(9_00)])));
    const answers = await Promise.all(
      drafts.map(({ id }, n) => closing(n % 2 ? kit.admin : other.admin, id)),
    );
    expect(answers.filter((answer) => answer.body.is_batch_paid)).toHaveLength(11);
    expect(answers.filter((answer) => answer.body.status === "WAITING")).toHaveLength(13);
    expect(await fetchBalance(kit.admin)).toBe(1_00);
    await Promise.all([kit.drainJobs(), other.drainJobs()]);
    await other.close();
  });

  it("BAT-062 adds, changes and removes no payment of a closed batch, from its closing to its end", async () => {
    const { id } = await draft(kit.admin, [pix(10_00), pix(20_00)]);
    const ids = (await batch(kit.admin, id)).transfers.map((one) => one.id);
    const params = { id, tid: ids[0] ?? "" };
    const changes = async () => {
      const answers = [
        await kit.admin.call(addTransfer, { params: { id }, body: pix(1_00) }),
        await kit.admin.call(
          changeTransfer,
          { params, body: pix(1_00) },
          { "idempotency-key": randomUUID() },
        ),
        await kit.admin.call(removeTransfer, { params }),
        await kit.admin.call(removeTransfers, { params: { id }, body: { ids } }),
        await kit.admin.call(saveBatch, { params: { id }, body: { name: "Outro", removed_ids: ids } }),
        await kit.admin.call(fixIssueGroup, {
          params: { id },
          body: {
            code: "payment_date_expired",
            field: "payment_date",
            given: null,
            receiver: null,
            set: { payment_date: "" },
          },
        }),
      ];
      return answers.map(({ body }) => body.code);
    };
    const refused = ["batch_not_draft", "transfer_not_editable", ...Array(4).fill("batch_not_draft")];
    const seen: string[] = [];
    const look = async () => {
      seen.push(await fetchStatus(id));
      expect([seen.at(-1), await changes()]).toEqual([seen.at(-1), refused]);
    };
    await closing(kit.admin, id);
    await look();
    await kit.deposit(30_00);
    await look();
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    await look();
    expect(seen).toEqual(["WAITING", "RECEIVED", "FINISHED"]);
    expect(await batch(kit.admin, id)).toMatchObject({ value: 30_00, payments_count: 2, paid_count: 2 });
  });

  it("BAT-062 keeps books and batch consistent when a closing is concurrent with a change, a rejection or a deletion", async () => {
    await kit.deposit(1_000_00);
    for (let round = 0; round < 6; round++) {
      const { id } = await draft(kit.operator, [pix(10_00)]);
      if (round % 3 === 1) await send(kit.operator, id);
      const rival =
        round % 3 === 0
          ? kit.operator.call(saveBatch, { params: { id }, body: { name: "Outro", transfers: [pix(5_00)] } })
          : round % 3 === 1
            ? reject(kit.admin, id)
            : remove(kit.operator, id);
      const [closed, changed] = await Promise.all([closing(kit.admin, id), rival]);
      const now = (await kit.admin.call(readBatch, { params: { id } })).body;
      if (closed.status === 200) expect(now.status).toBe("PENDING");
      else expect(changed.status).toBe(200);
      if (round % 3 === 0 && changed.status === 200 && closed.status === 200) expect(now.value).toBe(15_00);
      expect(await kit.faults()).toEqual([]);
      await kit.drainJobs();
    }
  });
});
