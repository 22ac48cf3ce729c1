/** The outside, moved manually. These calls exist only where the sandbox network does. */
import {
  announceInfraction,
  announceInvoice,
  announceNotice,
  answerClaim,
  blockPix,
  changeOptions,
  changeRails,
  depositPix,
  endNotice,
  endPixBlock,
  listDirectory,
  listMails,
  listSimulatedInfractions,
  listSimulatedInvoices,
  listSimulatedPayins,
  moveClock,
  payCharge,
  raiseClaim,
  readInstallation,
  readInvoiceDocument,
  readSimulator,
  reportInfraction,
  runPending,
  sendTed,
  showNotices,
  startOver,
} from "@malote/contracts/simulator";
import { wakeAnswers } from "../../../contestations/index.ts";
import { wakeCharges } from "../../../payins/index.ts";
import { wakePayments } from "../../../payments/index.ts";
import { wakePixKeys } from "../../../pix-keys/index.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { wakeDeadLetters } from "../../../platform/events/dead-letters.ts";
import type { Serve } from "../../../platform/http/serve.ts";
import { wakeMails } from "../../../platform/mail/send-mail.ts";
import { collectMagicValues, type SandboxCollect } from "../charges/index.ts";
import type { MovableClock } from "../clock.ts";
import { demoUsers } from "../demo/seed.ts";
import { createSandboxDirectory, registrationMagicValues } from "../directory/index.ts";
import type { SandboxProvider } from "../infractions/index.ts";
import { listOutbox } from "../mail-outbox.ts";
import { boletosToTry, magicValues, pixCodesToTry, type SandboxNetwork } from "../network/index.ts";
import * as claims from "./claims.ts";
import { targetOfMove } from "./clock-move.ts";
import * as infractions from "./infractions.ts";
import * as installation from "./installation.ts";
import * as invoices from "./invoices.ts";
import { registeredForms } from "./key-forms.ts";
import * as payins from "./payins.ts";
import { findRegisteredKey, listCompanies } from "./store.ts";

export interface SimulatorParts {
  db: Database;
  network: SandboxNetwork;
  infractions: SandboxProvider;
  collecting: SandboxCollect;
  clock: MovableClock;
  startOver(): Promise<void>;
}

export function simulatorRoutes({ serveOutside }: Pick<Serve, "serveOutside">, parts: SimulatorParts): void {
  const { db, network, clock } = parts;
  const directory = createSandboxDirectory(parts);

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
    magic_values: [
      ...magicValues,
      ...boletosToTry(clock.now()),
      ...pixCodesToTry(clock.now()),
      ...collectMagicValues,
      ...registrationMagicValues,
    ],
  }));

  serveOutside(changeRails, ({ body }) => network.changeSettings(body));

  serveOutside(depositPix, async ({ body }) => {
    // A bank refuses a Pix to a key that nobody registered before any money moves.
    const pixKey = await db.withSystem((tx) => findRegisteredKey(tx, registeredForms(body.pix_key)));
    if (!pixKey) throw new AppError("not_found");
    const { endToEndId } = await network.depositPix({
      pixKey,
      value: body.value,
      payer: payins.payerOf(body),
      message: body.message?.trim() || undefined,
      txid: body.txid,
      endToEndId: body.end_to_end_id,
    });
    return { end_to_end_id: endToEndId };
  });

  serveOutside(listSimulatedPayins, () => payins.list(parts));
  serveOutside(payCharge, (call) => payins.pay(parts, call));
  serveOutside(sendTed, (call) => payins.sendTed(parts, call));
  serveOutside(blockPix, (call) => payins.block(parts, call));
  serveOutside(endPixBlock, (call) => payins.endBlock(parts, call));

  serveOutside(moveClock, async ({ body }) => {
    if ("to" in body && body.to === "real_time") {
      const { movedNow, realNow } = await network.returnToRealTime();
      await wakePayments(db, movedNow, realNow);
      await wakeCharges(db, realNow);
      await wakePixKeys(db, realNow);
      await wakeMails(db, realNow);
      await wakeDeadLetters(db, realNow);
      await wakeAnswers(db, realNow);
    } else {
      const target = targetOfMove(body, clock.now());
      if (!target) throw new AppError("invalid_request", { fields: ["instant"] });
      await network.moveClockTo(target);
    }
    return { now: clock.now().toISOString() };
  });

  serveOutside(listMails, async () => ({ data: await listOutbox(db) }));

  serveOutside(listSimulatedInvoices, () => invoices.list(parts));
  serveOutside(announceInvoice, (call) => invoices.announce(parts, call));
  serveOutside(listDirectory, () => claims.list(db, directory));
  serveOutside(raiseClaim, (call) => claims.raise(directory, call));
  serveOutside(answerClaim, (call) => claims.answer(directory, call));

  serveOutside(readInvoiceDocument, (call) => invoices.document(parts, call));

  serveOutside(listSimulatedInfractions, () => infractions.look(parts));
  serveOutside(reportInfraction, (call) => infractions.report(parts, call));
  serveOutside(announceInfraction, (call) => infractions.announce(parts, call));

  serveOutside(readInstallation, () => installation.look(parts));
  serveOutside(changeOptions, (call) => installation.change(parts, call));
  serveOutside(showNotices, (call) => installation.show(parts, call));
  serveOutside(announceNotice, (call) => installation.announce(parts, call));
  serveOutside(endNotice, (call) => installation.end(parts, call));

  serveOutside(runPending, async () => ({
    delivered: (await network.deliverDue()) + (await parts.infractions.deliverDue()),
  }));

  serveOutside(startOver, async () => {
    await parts.startOver();
    return { ok: true };
  });
}
