/** Simulator calls for external events. They exist only where the sandbox network does. */

import {
  announceInvoice,
  answerClaim,
  changeRails,
  listDirectory,
  listMails,
  listSimulatedInvoices,
  moveClock,
  raiseClaim,
  readInvoiceDocument,
  readSimulator,
  runPending,
  startOver,
} from "@malote/contracts/simulator";
import {
  announceNotice,
  changeOptions,
  endNotice,
  readInstallation,
  showNotices,
} from "@malote/contracts/simulator-installation";
import {
  announceInfraction,
  blockPix,
  depositPix,
  endPixBlock,
  listSimulatedInfractions,
  listSimulatedPayins,
  payCharge,
  reportInfraction,
  sendTed,
} from "@malote/contracts/simulator-payins";
import { AppError } from "../../../platform/app-error.ts";
import type { DatabaseWithSandbox } from "../../../platform/db/database.ts";
import type { Serve } from "../../../platform/http/serve.ts";
import { chargeMagicValues, type SandboxCharges } from "../charges/index.ts";
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

export interface SimulatorServices {
  db: DatabaseWithSandbox;
  network: SandboxNetwork;
  infractions: SandboxProvider;
  charges: SandboxCharges;
  clock: MovableClock;
  startOver(): Promise<void>;
}

export function simulatorRoutes(
  { serveOutside }: Pick<Serve, "serveOutside">,
  services: SimulatorServices,
): void {
  const { db, network, clock } = services;
  const directory = createSandboxDirectory(services);

  serveOutside(readSimulator, { queue: "none" }, async () => ({
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
      ...magicValues(),
      ...boletosToTry(clock.now()),
      ...pixCodesToTry(clock.now()),
      ...chargeMagicValues,
      ...registrationMagicValues,
    ],
  }));

  serveOutside(changeRails, { queue: "none" }, ({ body }) => network.changeSettings(body));

  serveOutside(depositPix, { queue: "none" }, async ({ body }) => {
    // A bank refuses a Pix to an unregistered key before any money moves.
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

  serveOutside(listSimulatedPayins, { queue: "none" }, () => payins.list(services));
  serveOutside(payCharge, { queue: "none" }, (call) => payins.pay(services, call));
  serveOutside(sendTed, { queue: "none" }, (call) => payins.sendTed(services, call));
  serveOutside(blockPix, { queue: "none" }, (call) => payins.block(services, call));
  serveOutside(endPixBlock, { queue: "none" }, (call) => payins.endBlock(services, call));

  serveOutside(moveClock, { queue: "none" }, async ({ body }) => {
    const target = targetOfMove(body, clock.now());
    if (target === "has_passed") throw new AppError("clock_goes_forward_only");
    if (target === "out_of_reach") throw new AppError("invalid_request", { fields: ["instant"] });
    await network.moveClockTo(target);
    return { now: clock.now().toISOString() };
  });

  serveOutside(listMails, { queue: "none" }, async () => ({ data: await listOutbox(db) }));

  serveOutside(listSimulatedInvoices, { queue: "none" }, () => invoices.list(services));
  serveOutside(announceInvoice, { queue: "none" }, (call) => invoices.announce(services, call));
  serveOutside(listDirectory, { queue: "none" }, () => claims.list(db, directory));
  serveOutside(raiseClaim, { queue: "none" }, (call) => claims.raise(directory, call));
  serveOutside(answerClaim, { queue: "none" }, (call) => claims.answer(directory, call));

  serveOutside(readInvoiceDocument, { queue: "none" }, (call) => invoices.sendDocument(services, call));

  serveOutside(listSimulatedInfractions, { queue: "none" }, () => infractions.readAll(services));
  serveOutside(reportInfraction, { queue: "none" }, (call) => infractions.report(services, call));
  serveOutside(announceInfraction, { queue: "none" }, (call) => infractions.announce(services, call));

  serveOutside(readInstallation, { queue: "none" }, () => installation.readAll(services));
  serveOutside(changeOptions, { queue: "none" }, (call) => installation.change(services, call));
  serveOutside(showNotices, { queue: "none" }, (call) => installation.show(services, call));
  serveOutside(announceNotice, { queue: "none" }, (call) => installation.announce(services, call));
  serveOutside(endNotice, { queue: "none" }, (call) => installation.end(services, call));

  serveOutside(runPending, { queue: "none" }, async () => ({
    delivered: (await network.deliverDue()) + (await services.infractions.deliverDue()),
  }));

  serveOutside(startOver, { queue: "none" }, async () => {
    await services.startOver();
    return { ok: true };
  });
}
