/** A sandbox network on a database of its own, with a clock that only the test moves. */
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import { normalisePixKey, type PixKeyType } from "@malote/domain/pix-key";
import { sql } from "kysely";
import { openDatabase } from "../../../platform/db/database.ts";
import { testDatabase } from "../../../platform/db/test-database.ts";
import { createLog } from "../../../platform/log.ts";
import { uuidv7 } from "../../../platform/uuid.ts";
import type { EventHandler, KnownOrder, PaymentOrder, RailEvent } from "../../../ports/rails.ts";
import type { MovableClock } from "../clock.ts";
import { createSandboxNetwork, type SandboxNetwork } from "./network.ts";

export interface FixedClock extends MovableClock {
  set(instant: string): void;
  advance(by: { seconds?: number; days?: number }): void;
}

export function fixedClock(instant: string): FixedClock {
  let base = Date.parse(instant);
  let ahead = 0;
  return {
    now: () => new Date(base + ahead),
    aheadMs: () => ahead,
    setAhead(ms) {
      ahead = ms;
    },
    set(next) {
      base = Date.parse(next);
    },
    advance({ seconds = 0, days = 0 }) {
      base += (days * 86_400 + seconds) * 1000;
    },
  };
}

export interface TestSandbox {
  network: SandboxNetwork;
  /** Creates a second process on the same database. */
  another(handler?: EventHandler): SandboxNetwork;
  clock: FixedClock;
  db: ReturnType<typeof openDatabase>;
  /** All events in order of delivery, repetitions included. */
  received: RailEvent[];
  storedValue(endToEndId: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** Returns the end-to-end id of the payment that an event is about. */
export const endToEndIdOf = (event: RailEvent): string | undefined =>
  "endToEndId" in event ? event.endToEndId : undefined;

/** Monday morning, 10:00 in São Paulo, in a week without holidays. */
export const monday = "2026-11-09T13:00:00.000Z";

export async function openSandbox(instant = monday): Promise<TestSandbox> {
  const { config } = await testDatabase();
  const db = openDatabase(config);
  const clock = fixedClock(instant);
  const log = createLog("silent");
  const received: RailEvent[] = [];
  const keep: EventHandler = async (events) => void received.push(...events);
  const another = (handler = keep) => {
    const network = createSandboxNetwork({ db, clock, log });
    network.listen(handler);
    return network;
  };
  return {
    network: another(),
    another,
    clock,
    db,
    received,
    async storedValue(endToEndId) {
      const { rows } = await db.withSandbox((tx) =>
        sql<{ value: number }>`SELECT value FROM sandbox.orders WHERE end_to_end_id = ${endToEndId}`.execute(
          tx,
        ),
      );
      return rows[0]?.value;
    },
    close: () => db.close(),
  };
}

const companyId = uuidv7();
const someReceiver = {
  name: "Padaria Sol Nascente Ltda",
  taxId: null,
  bankIspb: null,
  agency: null,
  agencyDigit: null,
  account: null,
  accountDigit: null,
  accountType: null,
  pixKeyType: null,
  pixKey: null,
  pixKeyTaxId: null,
};

let made = 0;

/** Builds a Pix by key that the network pays. */
export function order(changes: Partial<PaymentOrder> = {}): PaymentOrder {
  made++;
  return {
    endToEndId: `E99999593202611091300${String(made).padStart(11, "0")}`,
    companyId,
    method: "PIX",
    value: 150_00,
    payer: { name: "Demo Ltda", taxId: "11222333000181", agency: "0001", account: "1234", accountDigit: "5" },
    receiver: { ...someReceiver, pixKeyType: "EMAIL", pixKey: "financeiro@exemplo.com.br" },
    boleto: null,
    code: null,
    description: null,
    ...changes,
  };
}

/** Returns the key by which `find` identifies an order. */
export const knownOrderOf = ({ endToEndId }: PaymentOrder): KnownOrder => ({ endToEndId, references: [] });

export function pixByKey(type: string, typed: string): PaymentOrder {
  const { type: pixKeyType, key: pixKey } = normalisePixKey({ type: type as PixKeyType, key: typed });
  return order({ receiver: { ...someReceiver, pixKeyType, pixKey } });
}

export function toAccount(method: PaymentOrder["method"], taxId = "11222333000181"): PaymentOrder {
  return order({
    method,
    receiver: {
      ...someReceiver,
      taxId,
      bankIspb: "60701190",
      agency: "1234",
      account: "12345",
      accountDigit: "1",
      accountType: "CONTA_CORRENTE",
    },
  });
}

/** Builds a payment of a boleto by line or barcode, without a due date unless one is given. */
export function boletoOrder(code: string, changes: Partial<PaymentOrder> = {}): PaymentOrder {
  const read = readBoletoCode(code, saoPauloDate(new Date(monday)));
  if (!read) throw new Error(`no boleto: ${code}`);
  return order({
    method: "BILLET",
    value: read.value ?? 10_00,
    receiver: someReceiver,
    boleto: { barcode: read.barcode, dueDate: read.dueDate },
    ...changes,
  });
}
