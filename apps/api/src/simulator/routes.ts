/** The outside world by hand. These calls exist only where the sandbox network does. */
import {
  changeRails,
  depositPix,
  listMails,
  listSimulatedInvoices,
  moveClock,
  readInvoiceDocument,
  readSimulator,
  runPending,
  startOver,
  tellOfInvoice,
} from "@malote/contracts/simulator";
import { isTaxId, normaliseTaxId } from "@malote/domain/tax-id";
import { demoUsers } from "../demo/seed.ts";
import { wakePayments } from "../payments/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { MovableClock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import type { Serve } from "../platform/http/serve.ts";
import { listOutbox } from "../platform/mail/outbox.ts";
import { magicValues, type SandboxNetwork } from "../rails/sandbox/index.ts";
import { targetOfMove } from "./clock-move.ts";
import * as invoices from "./invoices.ts";
import { registeredForms } from "./key-forms.ts";
import { findRegisteredKey, listCompanies } from "./store.ts";

export interface SimulatorParts {
  db: Database;
  network: SandboxNetwork;
  clock: MovableClock;
  startOver(): Promise<void>;
}

export function simulatorRoutes({ serveOutside }: Pick<Serve, "serveOutside">, parts: SimulatorParts): void {
  const { db, network, clock } = parts;

  serveOutside(readSimulator, async () => ({
    now: clock.now().toISOString(),
    clock_moved: clock.aheadMs() > 0,
    rails: await network.settings(),
    companies: await db.withSystem(listCompanies),
    users: demoUsers.map(({ email, password, profile, company }) => ({
      email,
      password,
      profile,
      company,
    })),
    in_flight: await network.inFlight(),
    magic_values: magicValues,
  }));

  serveOutside(changeRails, ({ body }) => network.changeSettings(body));

  serveOutside(depositPix, async ({ body }) => {
    const document = body.payer_document?.trim();
    if (document && !isTaxId(document)) throw new AppError("invalid_request", { fields: ["payer_document"] });
    // A bank refuses a Pix to a key that nobody registered before any money moves.
    const pixKey = await db.withSystem((tx) => findRegisteredKey(tx, registeredForms(body.pix_key)));
    if (!pixKey) throw new AppError("not_found");
    const { endToEndId } = await network.depositPix({
      pixKey,
      value: body.value,
      payer: {
        name: body.payer_name?.trim() || undefined,
        document: document ? normaliseTaxId(document) : undefined,
      },
      message: body.message?.trim() || undefined,
      endToEndId: body.end_to_end_id,
    });
    return { end_to_end_id: endToEndId };
  });

  serveOutside(moveClock, async ({ body }) => {
    if ("to" in body && body.to === "real_time") {
      const { movedNow, realNow } = await network.returnToRealTime();
      await wakePayments(db, movedNow, realNow);
    } else {
      const target = targetOfMove(body, clock.now());
      if (!target) throw new AppError("invalid_request", { fields: ["instant"] });
      await network.moveClockTo(target);
    }
    return { now: clock.now().toISOString() };
  });

  serveOutside(listMails, async () => ({ data: await listOutbox(db) }));

  serveOutside(listSimulatedInvoices, () => invoices.list(parts));
  serveOutside(tellOfInvoice, (call) => invoices.tell(parts, call));
  serveOutside(readInvoiceDocument, (call) => invoices.document(parts, call));

  serveOutside(runPending, async () => ({ delivered: await network.deliverDue() }));

  serveOutside(startOver, async () => {
    await parts.startOver();
    return { ok: true };
  });
}
