/** Checks that need a confirmation before a failed payment is resent. */
import { saveBatch } from "@malote/contracts/batches";
import { approveRequest } from "@malote/contracts/controls";
import { createCredential } from "@malote/contracts/developer";
import { resendFailures } from "@malote/contracts/failures";
import { authorize } from "@malote/contracts/session";
import { changeTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answer, errorOf } from "../../testing/answer.ts";
import type { Person } from "../../testing/app.ts";
import {
  failedBatches,
  fetchFailures,
  fetchRequests,
  type Ids,
  idempotencyKey,
  pixTo,
  resendChosen,
} from "../../testing/failures-kit.ts";
import {
  closing,
  draft,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  pix,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { failed, failedBatch, entries } = failedBatches(() => kit);

describe("a finding about a failed payment", () => {
  const light = () => [
    pix(123_00, {
      integration_id: null,
      destination_bank_account: { name: "Luz", pix_key_type: "EMAIL", pix_key: "luz@exemplo.com.br" },
    }),
  ];
  const missingOf = (answer: Answer) =>
    answer.body.data.checks.map(({ kind, fingerprint }: Record<string, string>) => ({ kind, fingerprint }));
  const retryWith = (by: Person, id: string, ids: Ids, confirmations: object[], named?: string) =>
    by.call(
      resendFailures,
      { params: { id }, body: { ids: ids as string[], confirmations } as never },
      idempotencyKey(named),
    );
  /** The failed payment was made again in another batch, which is paid with a confirmation. */
  async function madeAgain() {
    const { id, ids } = await failedBatch([...light(), pixTo(1_00, "Resto")]);
    await kit.deposit(123_00);
    const again = await draft(kit.admin, light());
    const refused = await closing(kit.admin, again.id);
    expect(refused.body).toMatchObject({
      code: "checks_not_confirmed",
      data: { checks: [{ kind: "same_payment" }] },
    });
    const { body } = await closing(kit.admin, again.id, undefined, { confirmations: missingOf(refused) });
    expect(body.is_batch_paid).toBe(true);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    return { id, ids: ids.slice(0, 1), paid: again.id };
  }

  it("must be confirmed before a payment that was meanwhile paid anew is resent, and is stored with the person", async () => {
    const { id, ids, paid } = await madeAgain();
    const [listed] = (await fetchFailures(kit.admin, id)).data;
    expect(listed?.retry_checks).toEqual([expect.stringContaining("Mesmo recebedor e valor em")]);
    const refused = await resendChosen(kit.admin, id, ids, "once");
    expect([refused.status, refused.body.code]).toEqual([422, "checks_not_confirmed"]);
    expect(refused.body.message).toContain("1 possível pagamento em dobro");
    expect(errorOf(refused).data.checks).toMatchObject([
      { kind: "same_payment", count: 1, value: 123_00, findings: [{ other: { batch_id: paid } }] },
    ]);
    const stale = await retryWith(kit.admin, id, ids, [{ kind: "same_payment", fingerprint: "1-a" }]);
    expect(stale.body.code).toBe("checks_changed");
    expect((await fetchStatuses(kit.admin, id))[0]).toBe("FAILED");
    const confirmations = missingOf(refused);
    // The same request under its key: the refused one changed nothing.
    expect((await retryWith(kit.admin, id, ids, confirmations, "once")).body.data[0].outcome).toBe("sent");
    const { rows } = await kit.services.db.pool.query(
      "SELECT confirmed_by_name AS by FROM check_confirmations WHERE batch_id = $1",
      [id],
    );
    expect(rows).toEqual([{ by: "Helena Prado" }]);
    expect(await entries("checks_confirmed")).toContainEqual({ payments: ids, confirmations });
  });

  it("must also be confirmed for a correction to a receiver who was just paid the same value", async () => {
    const { id, ids } = await failedBatch([pixTo(123_00, "Ana Lima"), pixTo(1_00, "Resto")]);
    await kit.deposit(123_00);
    const paid = await draft(kit.admin, light());
    expect((await closing(kit.admin, paid.id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    const params = { id, tid: ids[0] as string };
    const [body] = light();
    const refused = await kit.admin.call(changeTransfer, { params, body: body! });
    expect(refused.body).toMatchObject({
      code: "checks_not_confirmed",
      data: { checks: [{ kind: "same_payment" }] },
    });
    expect((await fetchStatuses(kit.admin, id))[0]).toBe("FAILED");
    const confirmations = missingOf(refused);
    const sent = await kit.admin.call(changeTransfer, { params, body: { ...body!, confirmations } });
    expect(sent.body.status).toBe("RECEIVED");
  });

  it("can be confirmed by a credential only for a batch that it or its owner prepared alone", async () => {
    const made = (await kit.admin.call(createCredential, { body: { name: "ERP" } })).body;
    const body = {
      grant_type: "client_credentials" as const,
      client_id: made.client_id,
      client_secret: made.client_secret,
    };
    const token = (await kit.call(authorize, { body })).body.access_token;
    const byMachine = (id: string, ids: Ids, confirmations: object[]) =>
      kit.call(
        resendFailures,
        { params: { id }, body: { ids, confirmations } as never },
        { token, headers: idempotencyKey() },
      );
    for (const [by, outcome] of [
      [kit.operator, "confirmation_of_another"],
      [kit.admin, "sent"],
    ] as const) {
      await kit.deposit(500_00);
      const { id } = await draft(by, [...light(), pixTo(1_00, "Resto")]);
      const added = {
        params: { id },
        body: { name: `Lote ${outcome}`, transfers: [pixTo(2_00, "Mais um")] },
      };
      expect((await kit.call(saveBatch, added, { token })).status).toBe(200);
      const closed = await closing(kit.admin, id);
      if (closed.status !== 200)
        await closing(kit.admin, id, undefined, { confirmations: missingOf(closed) });
      const ids = (await failed(id)).slice(0, 1);
      const paid = await draft(kit.admin, light());
      const refused = await closing(kit.admin, paid.id);
      await closing(kit.admin, paid.id, undefined, { confirmations: missingOf(refused) });
      const confirmations = missingOf(await byMachine(id, ids, []));
      const { body: answer } = await byMachine(id, ids, confirmations);
      expect(answer.code ?? answer.data[0].outcome).toBe(outcome);
    }
  });

  it("is shown to the approver with the confirmer's name; the approver confirms later findings", async () => {
    const { id, ids } = await madeAgain();
    const refused = await resendChosen(kit.operator, id, ids);
    const requested = await retryWith(kit.operator, id, ids, missingOf(refused));
    expect(requested.body.data[0].outcome).toBe("waits_for_approval");
    const [request] = await fetchRequests(kit.admin);
    expect(request.facts).toContainEqual({
      label: "1 possível pagamento em dobro",
      value: expect.stringMatching(
        /Mesmo recebedor e valor em .* · Conferido por Rui Tavares em \d{2}\/\d{2}\/\d{4} \d{2}:\d{2}$/,
      ),
    });
    const approve = ({ id: one, digest }: { id: string; digest: string }, body: object = {}) =>
      kit.admin.call(approveRequest, { params: { id: one }, body: { digest, ...body } }, idempotencyKey());
    expect((await approve(request)).body.status).toBe("approved");

    const other = await failedBatch([pixTo(77_00, "Bento Cruz"), pixTo(1_00, "Resto")]);
    await kit.services.db.pool.query("UPDATE transfers SET integration_id = NULL WHERE batch_id = $1", [
      other.id,
    ]);
    await resendChosen(kit.operator, other.id, other.ids.slice(0, 1));
    const waiting = (await fetchRequests(kit.admin)).find(
      ({ status }: { status: string }) => status === "pending",
    );
    await kit.deposit(77_00);
    const twin = await draft(kit.admin, [{ ...pixTo(77_00, "Bento Cruz"), integration_id: null }]);
    const confirmations = missingOf(await closing(kit.admin, twin.id));
    expect((await closing(kit.admin, twin.id, undefined, { confirmations })).status).toBe(200);
    const late = await approve(waiting);
    expect(late.body.code).toBe("checks_not_confirmed");
    expect((await fetchStatuses(kit.admin, other.id))[0]).toBe("FAILED");
    expect((await approve(waiting, { confirmations: missingOf(late) })).body.status).toBe("approved");
  });
});
