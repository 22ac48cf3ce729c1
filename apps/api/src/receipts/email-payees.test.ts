/** A payee gets the receipt by e-mail once the money has finally arrived, if the company enables it. */
import { changeCompanySettings, readCompanySettings } from "@malote/contracts/company";
import { afterEach, beforeEach, expect, it } from "vitest";
import { auroraId, openPayments, type PaymentsKit, paidFor, pix, ted } from "../testing/payments-kit.ts";
import { emailPayees } from "./index.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const switchOn = (emails_payees = true) => kit.admin.call(changeCompanySettings, { body: { emails_payees } });
const withEmail = (payment: ReturnType<typeof pix>, email: string) => ({
  ...payment,
  destination_bank_account: { ...payment.destination_bank_account, email },
});
const toPayees = () => kit.mails.filter(({ subject }) => subject.includes("para você"));
const onceForGood = async () => {
  await kit.pass({ seconds: 1 });
  await kit.pass({ seconds: 1 });
};

it("is off by default, and changed and read back by an admin", async () => {
  expect((await kit.admin.call(readCompanySettings)).body.emailsPayees).toBe(false);
  expect((await kit.operator.call(changeCompanySettings, { body: { emails_payees: true } })).status).toBe(
    403,
  );
  expect((await switchOn()).status).toBe(200);
  expect((await kit.admin.call(readCompanySettings)).body.emailsPayees).toBe(true);
  expect((await kit.stranger.call(readCompanySettings)).body.emailsPayees).toBe(false);
});

it("writes no e-mail while it is off", async () => {
  await paidFor(kit, [withEmail(pix(10_00), "maria@exemplo.com.br")], 10_00);
  await onceForGood();
  await kit.pass({ days: 2 });
  expect(toPayees()).toEqual([]);
});

it("writes once to each payee with an address, with the PDF and the company's own reply address", async () => {
  await switchOn();
  await kit.admin.call(changeCompanySettings, { body: { reply_to_email: "fin@aurora.example" } });
  await paidFor(
    kit,
    [
      { ...withEmail(pix(10_00), "maria@exemplo.com.br"), pix_description: "Nota 12" },
      pix(20_00),
      withEmail(
        pix(30_00, {
          destination_bank_account: { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" },
        }),
        "falha@exemplo.com.br",
      ),
    ],
    60_00,
  );
  await onceForGood();
  await kit.pass({ days: 3 });
  expect(toPayees().map(({ to, replyTo }) => [to, replyTo])).toEqual([
    ["maria@exemplo.com.br", "fin@aurora.example"],
  ]);
  const [mail] = toPayees();
  expect(mail?.attachment).toMatchObject({
    fileName: "Comprovante Maria Souza.pdf",
    contentType: "application/pdf",
  });
  expect(mail?.attachment?.content.subarray(0, 5).toString()).toBe("%PDF-");
  expect(mail?.text).toMatch(
    /pagou você pelo .+\. Se responder, sua mensagem vai para fin@aurora\.example\./,
  );
  expect(mail?.text).toContain("Descrição: Nota 12");
  const { rows } = await kit.services.db.pool.query(
    "SELECT receipt_of FROM mails WHERE receipt_of IS NOT NULL",
  );
  expect(rows).toHaveLength(1);
  // The job runs again, twice at once, for the same payment.
  const again = { companyId: auroraId, paymentIds: [rows[0].receipt_of] };
  await Promise.all([emailPayees(kit.services, again), emailPayees(kit.services, again)]);
  await kit.drainJobs();
  expect(toPayees()).toHaveLength(1);
});

it("waits with a TED until it can no longer be sent back", async () => {
  await switchOn();
  await paidFor(kit, [withEmail(ted(10_00), "padaria@exemplo.com.br")], 10_00);
  await kit.pass({ minutes: 20 });
  expect(toPayees()).toEqual([]);
  await kit.pass({ days: 1 });
  await kit.pass({ days: 1 });
  expect(toPayees().map(({ to }) => to)).toEqual(["padaria@exemplo.com.br"]);
});
