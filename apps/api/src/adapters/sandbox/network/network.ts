/**
 * Simulates other banks, the Pix system and the clearing house behind the same port as a real network. The network has
 * a schema of its own and a movable clock, and is never loaded in production.
 */

import { randomBytes } from "node:crypto";
import { endToEndId } from "@malote/domain/end-to-end-id";
import type { DatabaseWithSandbox } from "../../../platform/db/database.ts";
import { createHeartbeat } from "../../../platform/heartbeat.ts";
import type { Log } from "../../../platform/log.ts";
import type { EventHandler, RailEvent, Rails } from "../../../ports/rails.ts";
import type { MovableClock } from "../clock.ts";
import { deliverDue } from "./delivery.ts";
import { outsideIspb } from "./outcome.ts";
import { sandboxRails } from "./rails.ts";
import {
  changeSettings,
  moveClockAhead,
  type RailSettings,
  readClockAhead,
  readSettings,
} from "./settings.ts";
import { countUndelivered, insertEvent, readNextDueAt } from "./store.ts";

export interface PixDeposit {
  pixKey: string;
  value: number;
  payer?: { name?: string | undefined; document?: string | undefined };
  message?: string | undefined;
  /** Transaction id (txid) of the static QR code that the payer scanned. */
  txid?: string | undefined;
  /** End-to-end id of the Pix. A repeated id is the same Pix. */
  endToEndId?: string | undefined;
}

export interface SandboxNetwork {
  rails: Rails;
  /** Loads the stored clock. Call it before the first use of the time. */
  loadClock(): Promise<void>;
  /** Sets the event handler without starting delivery; `deliverDue` delivers. */
  listen(handler: EventHandler): void;
  /** Keeps the clock in sync with other processes and delivers due events when `delivers` is true. */
  start(handler: EventHandler, options?: { delivers: boolean }): void;
  stop(): Promise<void>;
  /** Delivers all due events; resolves when any process has delivered them. Returns how many this process delivered. */
  deliverDue(): Promise<number>;
  depositPix(deposit: PixDeposit): Promise<{ endToEndId: string }>;
  settings(): Promise<RailSettings>;
  changeSettings(changes: Parameters<typeof changeSettings>[1]): Promise<RailSettings>;
  /** Wakes the delivery because there are new events. */
  wake(): void;
  /** Returns the number of events that were not delivered yet. */
  inFlight(): Promise<number>;
  /** Moves the sandbox's clock forward, for every process. A past instant is a no-op. */
  moveClockTo(instant: Date): Promise<void>;
}

/** Fictitious bank from which external Pix come. */
export const outsideBank = { ispb: outsideIspb, name: "Banco Aurora" };
const outsidePayer = { name: "Mariana Teles Prado", document: "52998224725" };

export function createSandboxNetwork(services: {
  db: DatabaseWithSandbox;
  clock: MovableClock;
  log: Log;
}): SandboxNetwork {
  const { db, clock, log } = services;
  let handler: EventHandler | undefined;
  let delivering: Promise<unknown> = Promise.resolve();

  /**
   * Delivers events. Calls run one after another within the process, so that those that wait for the lock do not use up
   * the connections.
   */
  function deliver(): Promise<number> {
    const next = delivering.then(() => {
      if (!handler) throw new Error("the sandbox network has no listener yet");
      return deliverDue(db, clock, log, handler);
    });
    delivering = next.catch(() => undefined);
    return next;
  }

  /** Loads the stored clock. A stale answer never overwrites a later one or a move made by this process. */
  let lastTurn = 0;
  let taken = 0;
  async function loadClock() {
    const turn = ++lastTurn;
    const aheadMs = await db.withSandbox(readClockAhead);
    if (turn < taken) return;
    taken = turn;
    clock.setAhead(aheadMs);
  }

  const heartbeat = createHeartbeat(log);
  const wake = () => heartbeat.wake();

  return {
    rails: sandboxRails(db, clock, wake),
    loadClock,
    listen(listener) {
      handler = listener;
    },
    start(listener, { delivers } = { delivers: true }) {
      handler = listener;
      heartbeat.start(async () => {
        await loadClock();
        const dueAt = delivers ? await db.withSandbox(readNextDueAt) : undefined;
        if (!dueAt) return undefined;
        if (dueAt > clock.now()) return dueAt.getTime() - clock.now().getTime();
        await deliver();
        // Delivery took a while; deliver events that became due meanwhile at once.
        return 0;
      });
    },
    async stop() {
      await heartbeat.stop();
      await delivering;
    },
    deliverDue: deliver,
    wake,

    async depositPix(deposit) {
      const now = clock.now();
      const id = deposit.endToEndId ?? endToEndId(outsideBank.ispb, now, elevenCharacters());
      const event: RailEvent = {
        kind: "pix_received",
        id: `${id}:pix_received`,
        endToEndId: id,
        at: now.toISOString(),
        pixKey: deposit.pixKey,
        value: deposit.value,
        payer: {
          name: deposit.payer?.name ?? outsidePayer.name,
          document: deposit.payer?.document ?? outsidePayer.document,
          bank: outsideBank.name,
          agency: "0001",
          account: "4820173",
          accountDigit: "6",
          accountType: "CONTA_CORRENTE",
        },
        message: deposit.message ?? null,
        ...(deposit.txid && { txid: deposit.txid }),
      };
      await db.withSandbox((tx) => insertEvent(tx, deposit.pixKey, event, now));
      wake();
      return { endToEndId: id };
    },

    settings: () => db.withSandbox(readSettings),
    changeSettings: (changes) => db.withSandbox((tx) => changeSettings(tx, changes)),
    inFlight: () => db.withSandbox(countUndelivered),

    async moveClockTo(instant) {
      const realNow = clock.now().getTime() - clock.aheadMs();
      const aheadMs = await db.withSandbox((tx) => moveClockAhead(tx, instant.getTime() - realNow));
      taken = ++lastTurn;
      clock.setAhead(aheadMs);
      wake();
    },
  };
}

/**
 * Generates the random part of an end-to-end id. Hexadecimal digits are a subset of the permitted characters; 44 random
 * bits keep ids of one minute apart.
 */
const elevenCharacters = () => randomBytes(6).toString("hex").slice(0, 11);
