/**
 * The product with its upload routes: in this process on a test database for the short form, else as the real process.
 * The routes are those of the contracts that take a file; each must have a check of its result.
 */
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { deleteBatch } from "@malote/contracts/batch-life";
import { listBoletos } from "@malote/contracts/boletos";
import { uploadLogo } from "@malote/contracts/company";
import { answerInfraction, listInfractions } from "@malote/contracts/contestations";
import { bases, type Contract } from "@malote/contracts/contract";
import { importBoletoSheet, importSheet, readSheet, type Sheet, uploadSheet } from "@malote/contracts/import";
import { contracts } from "@malote/contracts/index";
import { moveClock } from "@malote/contracts/simulator";
import { depositPix, reportInfraction } from "@malote/contracts/simulator-payins";
import { listTransfers } from "@malote/contracts/transfers";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { insertInfraction } from "../../apps/api/src/contestations/store.ts";
import { uuidv7 } from "../../apps/api/src/platform/uuid.ts";
import type { TestApp } from "../../apps/api/src/testing/app.ts";
import { buildImportApp, runImports } from "../../apps/api/src/testing/import-kit.ts";
import { keepSignedIn, send, signIn } from "../../e2e/api.ts";
import { createMalote } from "../../e2e/server.ts";

export interface UploadServer {
  url: string;
  token(): Promise<string>;
  adminToken(): Promise<string>;
  /** Infractions that wait for an answer: one for each accepted file, which may take three attempts, and one more. */
  infractions: string[];
  /** The serving process, when it is a separate one. */
  pid?: number | undefined;
  /** Runs committed work; the worker of the real process does it by itself. */
  letWork(): Promise<void>;
  /** Lets an hour pass, after which a company may send as many files again. */
  letHourPass(): Promise<void>;
  close(): Promise<void>;
}

export async function openUploadServer(real: boolean): Promise<UploadServer> {
  if (real) return realUploadServer();
  const app = await buildImportApp({});
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.server.address() as AddressInfo;
  const { token } = await app.as("rui@aurora.example");
  const { token: adminToken } = await app.as("helena@aurora.example");
  return {
    url: `http://127.0.0.1:${port}`,
    token: async () => token,
    adminToken: async () => adminToken,
    infractions: await openInfractions(app),
    letWork: () => runImports(app),
    letHourPass: async () => app.clock.advance({ hours: 1 }),
    close: () => app.close(),
  };
}

const [aurora] = demoCompanies;
const openInfractionsCount = 4;

/** Inserts infractions of received Pix, with the fields that an answer needs. */
function openInfractions({ services }: TestApp): Promise<string[]> {
  const now = services.clock.now();
  return services.db.withCompany(aurora?.id ?? "", async (tx) => {
    const ids = Array.from({ length: openInfractionsCount }, () => uuidv7());
    for (const id of ids)
      await insertInfraction(tx, {
        id,
        provider_id: id,
        transaction_id: "E8888880120260812130000000000001",
        txid: null,
        amount: 100,
        payer_name: "Ana Lima",
        payer_tax_id: null,
        situation_type: "scam",
        infraction_description: null,
        infraction_date: now,
        analysis_due_at: new Date(now.getTime() + 3_600_000),
      });
    return ids;
  });
}

/** Creates the same infractions by the simulator, as a person would. */
async function reportInfractions(url: string, token: string): Promise<string[]> {
  for (let n = 0; n < openInfractionsCount; n++) {
    const pix = { pix_key: aurora?.pixKeys[0]?.key ?? "", value: 100 };
    const { done } = await send(url, undefined, depositPix, { body: pix });
    const body = { end_to_end_id: done?.end_to_end_id ?? "", situation_type: "scam" as const };
    const deadline = performance.now() + patienceMs;
    // The Pix must arrive before it can be contested.
    while ((await send(url, undefined, reportInfraction, { body })).status !== 200) {
      if (performance.now() > deadline) throw new Error("a Pix that never came");
      await sleep(pollMs);
    }
  }
  for (const deadline = performance.now() + patienceMs; ; await sleep(pollMs)) {
    const { done } = await send(url, token, listInfractions, {});
    const ids = done?.items.map(({ id }) => id) ?? [];
    if (ids.length === openInfractionsCount) return ids;
    if (performance.now() > deadline) throw new Error("infractions of no received Pix");
  }
}

async function realUploadServer(): Promise<UploadServer> {
  const malote = await createMalote();
  await malote.start();
  const adminToken = keepSignedIn(() => signIn(malote.url, "helena@aurora.example"));
  return {
    url: malote.url,
    token: keepSignedIn(() => signIn(malote.url, "rui@aurora.example")),
    adminToken,
    infractions: await reportInfractions(malote.url, await adminToken()),
    pid: malote.pid(),
    letWork: async () => undefined,
    async letHourPass() {
      await send(malote.url, undefined, moveClock, { body: { advance_ms: 3_600_000 } });
    },
    close: () => malote.stop(),
  };
}

/**
 * Result of an accepted file: refused with a reason, shown as a picture, or a number of payments of a number of
 * centavos.
 */
export type Became =
  | { kind: "refused"; message: string }
  | { kind: "picture" }
  /** Stored unchanged, and never opened here. */
  | { kind: "attachment" }
  | { kind: "payments"; count: number; cents: number }
  | { kind: "nothing"; why: string };

type Follow = (server: UploadServer, uploaded: { id?: string | undefined }) => Promise<Became>;

/** Short compared with the reading of a file; polling more often would itself delay the others. */
const pollMs = 50;
const patienceMs = 60_000;

const followers: Record<string, Follow> = {
  async [uploadSheet.id](server, { id = "" }) {
    const started = await send(server.url, await server.token(), importSheet, { body: { sheet_id: id } });
    if (!started.done) return { kind: "nothing", why: started.text };
    return becameOf(server, id);
  },
  // The upload itself starts the reading.
  [importBoletoSheet.id]: (server, { id = "" }) => becameOf(server, id),
  /** The upload checks the file: an accepted one is the logo. */
  [uploadLogo.id]: async () => ({ kind: "picture" }),
  /** An answer is final, so the next one goes to another infraction. */
  async [answerInfraction.id](server) {
    server.infractions.shift();
    return { kind: "attachment" };
  },
};

async function becameOf(server: UploadServer, sheetId: string): Promise<Became> {
  await server.letWork();
  const sheet = await whenRead(server, sheetId);
  if (sheet.refusal) return { kind: "refused", message: sheet.refusal.message };
  if (!sheet.batch_id) return { kind: "nothing", why: `the sheet stayed ${sheet.state}` };
  const params = { id: sheet.batch_id };
  const list = sheet.kind === "billet" ? listBoletos : listTransfers;
  const { done } = await send(server.url, await server.token(), list, { params, query: { page: "0" } });
  await send(server.url, await server.token(), deleteBatch, { params });
  const payments: { value: number | null }[] = done?.data ?? [];
  return {
    kind: "payments",
    count: payments.length,
    cents: payments.reduce((sum, { value }) => sum + (value ?? 0), 0),
  };
}

async function whenRead(server: UploadServer, id: string): Promise<Sheet> {
  for (const deadline = performance.now() + patienceMs; ; await sleep(pollMs)) {
    const { done, text } = await send(server.url, await server.token(), readSheet, { params: { id } });
    if (!done) throw new Error(`the sheet is gone: ${text}`);
    if (done.state !== "reading" || performance.now() > deadline) return done;
  }
}

export interface UploadRoute {
  id: string;
  address(server: UploadServer): string;
  token(server: UploadServer): Promise<string>;
  follow: Follow;
}

/**
 * Returns every contract that takes a file. One without a check of its file, or with an id to fill in, is not proven.
 */
export function uploadRoutes(all: readonly Contract[] = contracts): {
  routes: UploadRoute[];
  unknown: string[];
} {
  const takesFiles = all.filter(({ transport }) => transport === "multipart");
  return {
    routes: takesFiles.flatMap(({ id, base, path }) => {
      const follow = followers[id];
      if (!follow) return [];
      const address = (server: UploadServer) =>
        server.url + bases[base] + path.replace(":id", server.infractions[0] ?? "none is left");
      const token = (server: UploadServer) => (id === uploadLogo.id ? server.adminToken() : server.token());
      return [{ id, follow, address, token }];
    }),
    unknown: takesFiles.map(({ id }) => id).filter((id) => !followers[id]),
  };
}
