import { isDeepStrictEqual } from "node:util";
import { bases, type Contract, contract } from "@malote/contracts/contract";
import { isErrorCode, statusOf } from "@malote/contracts/errors";
import { contracts } from "@malote/contracts/index";
import { everyProfile } from "@malote/contracts/policy";
import { readBalance } from "@malote/contracts/statement";
import fc from "fast-check";
import type { FastifyInstance, InjectOptions } from "fastify";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { NoAnswer } from "../../apps/api/src/adapters/sandbox/network/no-answer.ts";
import type { Serve } from "../../apps/api/src/platform/http/serve.ts";
import type { PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";
import { proof } from "../proof.ts";
import { type BearerKind, bearing, type Environment, openEnvironment, personToken } from "./environment.ts";
import { requestTo, type WireRequest } from "./fuzz.ts";
import { fillCompany, isId, rowsOf } from "./records.ts";

/** Requests between two runs of their background work. */
const drainEvery = 100;

const plantedCall = (id: string, changes: Partial<Contract> = {}): Contract =>
  contract({
    id,
    base: "payments",
    method: "GET",
    path: `/app/planted/${id}`,
    summary: "planted",
    policy: everyProfile,
    response: readBalance.response,
    ...changes,
  });
const throwing = plantedCall("throws");
const talkative = plantedCall("saysTooMuch");
const undocumented = plantedCall("refusesOddly");
const wrongTyped = plantedCall("answersText");

proof(
  "S4",
  "answers any input as documented: no failure, no unknown status, no answer outside its schema",
  { unit: "requests a call", short: 4, reduced: 300, full: 5_000 },
  async ({ count, seed, report }) => {
    const environment = await openEnvironment();
    try {
      return await fuzz(environment, count, seed, report);
    } finally {
      await environment.close();
    }
  },
);

async function fuzz(environment: Environment, runs: number, seed: number, report: (line: string) => void) {
  const { kit } = environment;
  const [aurora] = demoCompanies;
  if (!aurora) throw new Error("no caller to be");
  await fillCompany(environment, aurora);
  const tokens = { ...environment.tokens.get(aurora) } as Record<BearerKind, string>;
  // The people who make the calls keep their access: a removed one could make no more.
  const people = new Set(aurora.users.map(({ id }) => id));
  const pool = (await rowsOf(kit, aurora))
    .flatMap(({ values }) => values)
    .filter((value) => isId(value) && !people.has(value));
  const server = await environment.open({}, plant);
  const documented = await statusesDocumented(server);
  const statuses: Record<string, number> = {};
  let sent = 0;

  async function faultOf(call: Contract, request: WireRequest): Promise<string | undefined> {
    if (++sent % drainEvery === 0) await letWorkRun(kit);
    const { bearer, headers, payload, method, url } = request;
    const answer = await server.inject({
      method: method as NonNullable<InjectOptions["method"]>,
      url,
      headers: { ...(bearer !== "none" && bearing(tokens[bearer])), ...headers },
      ...(payload && { payload }),
    });
    statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
    // Some calls end the session they come with.
    if (answer.statusCode === 401 && bearer !== "none" && bearer !== "machine")
      tokens[bearer] = await personToken(kit.services, aurora as never, bearer);
    const fault = request.isCall
      ? wrongAnswer(call, answer, documented.get(call.id))
      : wrongElsewhere(answer);
    return fault && `${call.id} ${fault}`;
  }

  async function check(call: Contract, numRuns: number): Promise<string[]> {
    const property = fc.asyncProperty(requestTo(call, pool), async (request) => {
      const fault = await faultOf(call, request);
      if (fault) throw new Error(fault);
    });
    const { failed, counterexample, errorInstance } = await fc.check(property, { seed, numRuns });
    if (!failed) return [];
    const said = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    return [`${said}, asked with ${JSON.stringify(counterexample?.[0]).slice(0, 600)}`];
  }

  const faults: string[] = [];
  for (const call of contracts) {
    const before = sent;
    faults.push(...(await check(call, runs)));
    report(`${call.id}: ${sent - before} requests, ${faults.length} faults`);
  }
  await letWorkRun(kit);
  for (const fault of await kit.faults()) faults.push(`books: ${fault.rule}, ${fault.where}`);

  const missed: string[] = [];
  for (const planted of plantedCalls) if ((await check(planted, 30)).length === 0) missed.push(planted.id);
  return {
    faults,
    figures: { calls: contracts.length, requests: sent, statuses: JSON.stringify(statuses) },
    planted: { count: plantedCalls.length, missed },
  };
}

/**
 * Runs the background work. A request may have set the network to lose answers: the queue retries later, and here the
 * next run does.
 */
async function letWorkRun(kit: PaymentsKit): Promise<void> {
  try {
    await kit.drainJobs();
    await kit.pass({ seconds: 30 });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
}

const plantedCalls = [throwing, talkative, undocumented, wrongTyped];

function plant({ serveOutside }: Serve): void {
  serveOutside(throwing, { queue: "none" }, async () => {
    throw new Error("planted");
  });
  const sent =
    (body: object) =>
    (call: {
      reply: {
        serializer(how: (text: string) => string): unknown;
        type(name: string): { send(text: string): unknown };
      };
    }) => {
      call.reply.serializer((text) => text);
      return call.reply.type("application/json").send(JSON.stringify(body));
    };
  serveOutside(talkative, { queue: "none" }, sent({ value: 1, waiting_value: 2, secret: 3 }) as never);
  serveOutside(wrongTyped, { queue: "none" }, sent({ value: "1", waiting_value: 2 }) as never);
  serveOutside(undocumented, { queue: "none" }, async ({ reply }) =>
    reply.code(418).send({ value: 1, waiting_value: 2 }),
  );
}

interface Given {
  statusCode: number;
  headers: Record<string, unknown>;
  payload: string;
}

/** Returns the error of an answer; undefined when the API reference has it. */
function wrongAnswer(
  call: Contract,
  answer: Given,
  known: ReadonlySet<number> | undefined,
): string | undefined {
  const { statusCode, payload } = answer;
  if (statusCode >= 500) return `answered ${statusCode}: ${payload.slice(0, 200)}`;
  if (!known?.has(statusCode) && !plantedCalls.includes(call))
    return `answered ${statusCode}, which is not documented: ${payload.slice(0, 200)}`;
  if (statusCode !== 200) return wrongRefusal(answer);
  if (call.transport === "file" || call.transport === "stream") return undefined;
  let body: unknown;
  try {
    body = call.transport === "text" ? payload : JSON.parse(payload);
  } catch {
    return `answered what is no JSON: ${payload.slice(0, 200)}`;
  }
  const read = call.response.safeParse(body);
  if (!read.success) return `answered against its schema: ${read.error.message.slice(0, 300)}`;
  // Parsing drops fields that the schema does not have.
  return isDeepStrictEqual(read.data, body)
    ? undefined
    : `answered more than its schema: ${payload.slice(0, 200)}`;
}

const errorFields = ["code", "data", "errorCode", "message", "requestId"];

function wrongRefusal({ statusCode, payload }: Given): string | undefined {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(payload) as Record<string, unknown>;
  } catch {
    return `refused with ${statusCode} and what is no JSON: ${payload.slice(0, 200)}`;
  }
  const isWhole =
    isDeepStrictEqual(Object.keys(body).sort(), errorFields) && typeof body["message"] === "string";
  const { code } = body;
  return isWhole && isErrorCode(code) && statusOf(code) === statusCode
    ? undefined
    : `refused with ${statusCode} in another shape: ${payload.slice(0, 200)}`;
}

/** Returns the error of a request without a call: the pages answer some, and none may fail. */
function wrongElsewhere({ statusCode, payload }: Given): string | undefined {
  return statusCode >= 500
    ? `answered another method with ${statusCode}: ${payload.slice(0, 200)}`
    : undefined;
}

async function statusesDocumented(server: FastifyInstance): Promise<Map<string, ReadonlySet<number>>> {
  const answer = await server.inject(`${bases.payments}/openapi.json`);
  const { paths } = answer.json() as {
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return new Map(
    operations.map(({ operationId, responses }) => [
      operationId,
      new Set(Object.keys(responses).map(Number)),
    ]),
  );
}
