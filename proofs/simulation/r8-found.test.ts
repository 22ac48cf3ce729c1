import { it } from "vitest";
import { replay } from "./replay.ts";

// Sequences that found something, shrunk and stored as printed: a former fault of the product, or a gap of the model.

it(
  "R8 keeps the batch of a TED that is sent back finished, with events reported together or one by one",
  { timeout: 60_000 },
  () =>
    replay([
      { do: "clock", to: "2026-08-14T19:25:00Z" },
      { do: "deposit", deposit: 1, value: 190001 },
      {
        do: "create",
        by: "operator",
        batch: 5,
        payments: [{ payment: 6, receiver: 6, value: 25000 }],
      },
      { do: "deliver" },
      { do: "work", job: 0 },
      { do: "close", by: "machine", batch: 5, key: 7 },
      { do: "work", job: 0 },
      { do: "work", job: 0 },
      { do: "clock", to: "2026-09-04T00:00:00.000Z" },
    ]),
);

it("R8 does not pay a waiting payment that is both late and forbidden", { timeout: 60_000 }, () =>
  replay([
    { do: "clock", to: "2026-08-12T13:00:00Z" },
    {
      do: "create",
      by: "operator",
      batch: 1,
      payments: [{ payment: 2, receiver: 3, value: 10000, date: "2026-08-12" }],
    },
    { do: "close", by: "admin", batch: 1, key: 3 },
    { do: "settings", change: { blockedDocuments: ["52998224725"] } },
    { do: "clock", to: "2026-08-13T13:00:00Z" },
    { do: "deposit", deposit: 4, value: 10000 },
  ]),
);

it(
  "R8 requires a confirmation of a value far above the receiver's earlier payments",
  { timeout: 60_000 },
  () =>
    replay([
      { do: "clock", to: "2026-08-12T13:00:00Z" },
      { do: "deposit", deposit: 1, value: 2_000_00 },
      { do: "deliver" },
      {
        do: "create",
        by: "operator",
        batch: 2,
        payments: [
          { payment: 3, receiver: 3, value: 333_33 },
          { payment: 4, receiver: 3, value: 99 },
          { payment: 5, receiver: 3, value: 1 },
        ],
      },
      { do: "close", by: "admin", batch: 2, key: 6 },
      { do: "work", job: 0 },
      { do: "work", job: 0 },
      { do: "work", job: 0 },
      { do: "clock", to: "2026-08-12T14:00:00Z" },
      { do: "deliver" },
      { do: "create", by: "operator", batch: 7, payments: [{ payment: 8, receiver: 3, value: 999_99 }] },
      { do: "close", by: "admin", batch: 7, key: 9 },
      { do: "create", by: "operator", batch: 10, payments: [{ payment: 11, receiver: 3, value: 1_000_00 }] },
      { do: "send", by: "operator", batch: 10 },
      { do: "close", by: "admin", batch: 10, key: 12 },
    ]),
);

it(
  "R8 does not release a waiting batch of a blocked company when its money arrives",
  { timeout: 60_000 },
  () =>
    replay([
      { do: "deposit", deposit: 1, value: 190001 },
      { do: "create", by: "machine", batch: 3, payments: [{ payment: 7, receiver: 1, value: 25000 }] },
      { do: "close", by: "machine", batch: 3, key: 17 },
      { do: "settings", change: { blocked: true } },
      { do: "work", job: 0 },
    ]),
);

it(
  "R8 fails a payment to a payee who was blocked later, before the network has it",
  { timeout: 60_000 },
  () =>
    replay([
      { do: "deposit", deposit: 1, value: 210001 },
      { do: "deliver" },
      { do: "withdraw", by: "operator", batch: 3, payment: 4, value: 1, key: 5 },
      { do: "settings", change: { blockedDocuments: ["11222333000181", "12ABC34501DE35"] } },
    ]),
);
