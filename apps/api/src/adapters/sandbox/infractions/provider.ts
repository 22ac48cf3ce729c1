/**
 * Simulates the provider of infractions: people report fraud on the simulator's screen, companies answer, and the
 * provider reports its opinion. It agrees with a company that accepted the report or missed the deadline; a defence
 * waits for a decision on the screen.
 */
import { randomUUID } from "node:crypto";
import type { FinalOpinion, SituationType } from "@malote/domain/infraction";
import { AppError } from "../../../platform/app-error.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { AnyTx, DatabaseWithSandbox } from "../../../platform/db/database.ts";
import { createHeartbeat } from "../../../platform/heartbeat.ts";
import type { Log } from "../../../platform/log.ts";
import { sandboxAdapter } from "../../../ports/adapter-choice.ts";
import type { InfractionEventHandler, InfractionProvider } from "../../../ports/infractions.ts";
import {
  findNextDueEvent,
  insertEvent,
  insertReported,
  listReported,
  lockDelivery,
  lockReported,
  markDelivered,
  postponeDelivery,
  type ReceivedPix,
  type ReportedInfraction,
  readNextDueAt,
  receivedPix,
  saveAnswer,
  setLastEvent,
} from "./store.ts";

export type InfractionReport = "contested_by_email" | FinalOpinion;

export interface SandboxProvider {
  provider: InfractionProvider;
  /**
   * Reports a received Pix as fraud on behalf of its payer. Refuses a Pix that no company of this installation
   * received.
   */
  report(complaint: {
    endToEndId: string;
    situation: SituationType;
    description: string | null;
  }): Promise<{ id: string }>;
  /** Publishes a report of the provider. Refuses a step that is no longer possible, because an opinion is final. */
  announce(id: string, report: InfractionReport): Promise<void>;
  readAll(): Promise<{ received: ReceivedPix[]; reported: ReportedInfraction[] }>;
  /** Sets the event handler without starting delivery; `deliverDue` delivers. */
  listen(handler: InfractionEventHandler): void;
  /** Starts delivery of due events when `delivers` is true. */
  start(handler: InfractionEventHandler, options: { delivers: boolean }): void;
  stop(): Promise<void>;
  /** Delivers all due events and returns their number. */
  deliverDue(): Promise<number>;
}

/** Number of infractions that the screen lists. */
const shownMax = 50;

export function createSandboxProvider(services: {
  db: DatabaseWithSandbox;
  clock: Clock;
  log: Log;
}): SandboxProvider {
  const { db, clock, log } = services;
  const heartbeat = createHeartbeat(log);
  let handler: InfractionEventHandler | undefined;

  async function announceInside(
    tx: AnyTx,
    infraction: ReportedInfraction,
    report: InfractionReport,
  ): Promise<void> {
    const now = clock.now();
    const common = {
      infractionId: infraction.id,
      endToEndId: infraction.end_to_end_id,
      at: now.toISOString(),
    };
    await insertEvent(
      tx,
      report === "contested_by_email"
        ? { ...common, kind: report }
        : { ...common, kind: "opinion", opinion: report },
      now,
    );
    await setLastEvent(tx, infraction.id, report);
  }

  /**
   * Delivers the next due event. If the process dies while the handler runs, the lock ends with its connection and
   * another process delivers the event again.
   */
  function deliverNext(): Promise<boolean> {
    return db.withSandbox(async (tx) => {
      await lockDelivery(tx);
      const now = clock.now();
      const event = await findNextDueEvent(tx, now);
      if (!event) return false;
      try {
        if (!handler) throw new Error("the sandbox's provider has no listener yet");
        await handler(event.payload);
        await markDelivered(tx, event.id, now);
      } catch (error) {
        log.warn(
          { err: error, event: event.id },
          "the sandbox's provider got no acknowledgement and will deliver again",
        );
        await postponeDelivery(tx, event.id, now);
      }
      return true;
    });
  }

  async function deliverDue(): Promise<number> {
    let delivered = 0;
    while (await deliverNext()) delivered++;
    return delivered;
  }

  return {
    provider: {
      id: sandboxAdapter,
      async answer({ infractionId, analysis, description, attachment }) {
        await db.withSandbox(async (tx) => {
          const infraction = await lockReported(tx, infractionId);
          if (!infraction) throw new Error(`the answer to infraction ${infractionId} precedes its report`);
          const isFirst = await saveAnswer(tx, infractionId, {
            analysis,
            description,
            file_name: attachment?.name ?? null,
          });
          const isOpen =
            infraction.last_event === "reported" || infraction.last_event === "contested_by_email";
          if (isFirst && isOpen && analysis !== "rejected") await announceInside(tx, infraction, "agreed");
        });
        heartbeat.wake();
      },
    },
    async report({ endToEndId, situation, description }) {
      const now = clock.now();
      const id = randomUUID();
      await db.withSandbox(async (tx) => {
        const [pix] = await receivedPix(tx, { endToEndId, max: 1 });
        if (!pix) throw new AppError("not_found");
        await insertReported(tx, { id, endToEndId, now });
        const at = now.toISOString();
        await insertEvent(
          tx,
          { kind: "reported", infractionId: id, endToEndId, at, situation, description },
          now,
        );
      });
      heartbeat.wake();
      return { id };
    },
    async announce(id, report) {
      await db.withSandbox(async (tx) => {
        const infraction = await lockReported(tx, id);
        if (!infraction) throw new AppError("not_found");
        const mayFollow =
          infraction.last_event === "reported" ||
          (infraction.last_event === "contested_by_email" && report !== infraction.last_event);
        if (!mayFollow) throw new AppError("infraction_answered");
        await announceInside(tx, infraction, report);
      });
      heartbeat.wake();
    },
    readAll: () =>
      db.withSandbox(async (tx) => ({
        received: await receivedPix(tx, { max: shownMax }),
        reported: await listReported(tx, shownMax),
      })),
    listen(listener) {
      handler = listener;
    },
    start(listener, { delivers }) {
      handler = listener;
      if (!delivers) return;
      heartbeat.start(async () => {
        await deliverDue();
        const dueAt = await db.withSandbox(readNextDueAt);
        return dueAt && Math.max(0, dueAt.getTime() - clock.now().getTime());
      });
    },
    stop: heartbeat.stop,
    deliverDue,
  };
}
