/** An unreachable network, for tests and benchmarks that send nothing; a call to it is a fault. */
import { paymentMethods } from "@malote/domain/payment-limits";
import type { Rails } from "../ports/rails.ts";

const unavailable = () => Promise.reject(new Error("this test has no network"));

export const noRails: Rails = {
  id: "none",
  methods: paymentMethods,
  timing: {
    answeredWithinMs: 8_000,
    outcomeWithinMs: { PIX: 60_000, TEV: 60_000, TED: 600_000, BILLET: 600_000 },
    finishedWithinMs: 86_400_000,
    absenceProvesAfterMs: null,
  },
  send: unavailable,
  find: unavailable,
  proof: unavailable,
};
