import { expect, it } from "vitest";
import { createBatch, renameBatch } from "./batches.ts";
import { createCredential } from "./developer.ts";
import { createPaymentLink } from "./payment-links.ts";

const typed = " Folha\u202e 11\r\nTotal:\u2028R$ 1,00\u200b ";

it.each([
  ["a batch", createBatch.body],
  ["a renamed batch", renameBatch.body],
  ["a credential", createCredential.body],
  ["a payment link", createPaymentLink.body.omit({ amount: true, expires_at: true, payment_methods: true })],
])("the name of %s is one line without invisible signs", (_, body) => {
  expect(body.parse({ name: typed }).name).toBe("Folha 11  Total: R$ 1,00");
  expect(body.safeParse({ name: "\u202e\n" }).success).toBe(false);
});
