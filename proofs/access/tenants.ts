/** Tries every place of every call where an id may be with values of another company. */
import { randomUUID } from "node:crypto";
import type { Contract } from "@malote/contracts/contract";
import { findBankByCode, findBankByIspb } from "@malote/domain/banks";
import type { FastifyInstance } from "fastify";
import type { DemoCompany } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { type Answer, ask, type BearerKind, bearing } from "./environment.ts";
import { isId, type Row, wordOf } from "./records.ts";
import { type Input, inputOf, nameOfSlot, type Schema, type Slot, shapesOf, slotsOf } from "./schemas.ts";

/** Inputs named like an id that no code reads: the answer must be equal whatever they hold. */
const unread: Readonly<Record<string, string>> = {
  "createPayoutReport body.search":
    "asks for a file; what it finds is the answer of the list, whose search is tried",
  "requestPayinReport body.search": "kept as it is asked, and read when the sheet is fetched",
  "requestReceivableReport body.search": "kept as it is asked, and read when the sheet is fetched",
  "changeTransfer body.id": "the path says which payment counts",
  "readDuplicatedBoleto query.id":
    "leaves one payment out of the question of a barcode, which the schema does not know",
  "exportAuditTrail body.actor_id": "kept as it is asked, and read when the sheet is fetched",
  "exportAuditTrail body.subject_id": "kept as it is asked, and read when the sheet is fetched",
  "exportInfractions body.transaction_id": "a filter of the file that a job makes later, of this company",
  "exportInfractions body.payer_tax_id": "a filter of the file that a job makes later, of this company",
};

/** The maximum number of records in the path with which a place beside it is tried. */
const framesTried = 16;

/** Ids by which some call found a record; the next call tries these first. */
const fruitful = new WeakMap<Side, Set<string>>();

export interface Side {
  company: DemoCompany;
  tokensFor(contract: Contract): Record<BearerKind, string>;
  rows: readonly Row[];
  /** All values in its rows. */
  values: ReadonlySet<string>;
  /** The same values without marks and capitals, one per line. */
  text: string;
}

/** True for a bank's numbers, which are public, whichever company paid to it. */
const isPublic = (value: string) => Boolean(findBankByIspb(value) ?? findBankByCode(value));

export function sideOf(company: DemoCompany, tokensFor: Side["tokensFor"], rows: readonly Row[]): Side {
  const values = new Set(rows.flatMap((row) => row.values));
  return { company, tokensFor, rows, values, text: folded([...values].join("\n")) };
}

export interface Probe {
  contract: Contract;
  bearer: BearerKind;
  /** The tried place and its value. */
  name: string;
  given: Input;
  /** The same input with an unused id instead of the other company's; equal for all values tried in that place. */
  asNobody: Input;
  /** Values of the other company in the request. */
  stolen: readonly string[];
  /** Values that were sent in their place. */
  invented: readonly string[];
}

const fits = ({ format, maxLength = Number.POSITIVE_INFINITY, minLength = 0 }: Schema, value: string) =>
  format === "uuid" ? isId(value) : !isId(value) && value.length <= maxLength && value.length >= minLength;

const inventedValueOf = ({ schema }: Slot) => (schema.format === "uuid" ? randomUUID() : "qxjqxjqxj");

/** Returns every way to fill the slots with values of one row. */
function tuplesOf(row: Row, slots: readonly Slot[]): string[][] {
  return slots.reduce<string[][]>(
    (tuples, { schema }) =>
      tuples.flatMap((tuple) =>
        row.values
          .filter((value) => fits(schema, value) && !tuple.includes(value))
          .map((value) => [...tuple, value]),
      ),
    [[]],
  );
}

const filled = (slots: readonly Slot[], values: readonly string[]) =>
  slots.map((slot, at) => ({ slot, value: values[at] ?? inventedValueOf(slot) }));

/**
 * Returns the inputs to try against a call. It first finds a record of the caller's own for each place, so that an
 * unread place, where every id gives the same answer, is a fault and not mistaken for a refusal.
 */
export async function probesOf(
  server: FastifyInstance,
  contract: Contract,
  attacker: Side,
  victim: Side,
): Promise<{ probes: Omit<Probe, "bearer">[]; faults: string[] }> {
  const probes: Omit<Probe, "bearer">[] = [];
  const faults: string[] = [];
  const words = (input: Input, sent: readonly string[]) =>
    ask(server, contract, input, headersOf(contract, attacker.tokensFor(contract).admin)).then((answer) =>
      plain(answer, sent, attacker.values),
    );

  for (const { body } of shapesOf(contract)) {
    const slots = slotsOf(contract, body);
    const frame = slots.filter(({ part }) => part === "params");
    const extras = slots.filter(({ part }) => part !== "params");
    const input = (values: readonly string[], extra: { slot: Slot; value: string }[] = []) =>
      inputOf(contract, body, [...filled(frame, values), ...extra]);

    const ours = await framesOf(frame, attacker, async (tuple) => words(input(tuple), tuple));
    if (frame.length > 0 && ours.length === 0)
      faults.push(`${contract.id}: no record of ours is found by ${frame.map(nameOfSlot).join(" and ")}`);
    const [best = []] = ours;
    const none = frame.map((slot) => inventedValueOf(slot));
    probes.push({
      contract,
      name: `${contract.id} as it is`,
      given: input(best),
      asNobody: input(best),
      stolen: [],
      invented: [],
    });

    const asNobody = input(none);
    const isTheirs = (value: string) => !attacker.values.has(value) && !isPublic(value);
    for (const row of victim.rows)
      for (const tuple of tuplesOf(row, frame)) {
        if (tuple.length === 0 || !tuple.every(isTheirs)) continue;
        const name = `${contract.id} ${frame.map(nameOfSlot)} of ${row.kind}`;
        probes.push({ contract, name, given: input(tuple), asNobody, stolen: tuple, invented: none });
      }
    const theirs = [
      ...new Map(victim.rows.flatMap(({ kind, values }) => values.map((value) => [value, kind]))),
    ].filter(([value]) => isTheirs(value));
    if (frame.length > 1 && ours.length > 0)
      for (const [at, slot] of frame.entries()) {
        const invented = inventedValueOf(slot);
        const asked = (id: string) => input(best.with(at, id));
        const asNobodyInside = asked(invented);
        for (const [value, kind] of theirs.filter(([text]) => fits(slot.schema, text)))
          probes.push({
            contract,
            name: `${contract.id} ${nameOfSlot(slot)} of ${kind}, inside ours`,
            given: asked(value),
            asNobody: asNobodyInside,
            stolen: [value],
            invented: [invented],
          });
      }
    for (const slot of extras) {
      const place = `${contract.id} ${nameOfSlot(slot)}`;
      const frames = place in unread ? ours.slice(0, 1) : [...ours, none];
      const isRead = await isReadAt(place, slot, frames, attacker, (tuple, value) =>
        words(input(tuple, [{ slot, value }]), [...tuple, value]),
      );
      if (isRead === place in unread)
        faults.push(isRead ? `${place} is read after all` : `${place}: no record of ours is found by it`);
      const invented = inventedValueOf(slot);
      const asked = (id: string) => input(best, [{ slot, value: id }]);
      const asNobodyThere = asked(invented);
      const foreign = theirs.filter(([text]) => fits(slot.schema, text) && !isInOurs(slot, text, attacker));
      for (const [value, kind] of foreign)
        probes.push({
          contract,
          name: `${place} of ${kind}`,
          given: asked(value),
          asNobody: asNobodyThere,
          stolen: [value],
          invented: [invented],
        });
    }
  }
  return { probes, faults };
}

/** Returns records of the caller's own that the path finds; those with a good answer come first. */
async function framesOf(
  frame: readonly Slot[],
  side: Side,
  words: (tuple: string[]) => Promise<string>,
): Promise<string[][]> {
  if (frame.length === 0) return [];
  const unknown = await words(frame.map((slot) => inventedValueOf(slot)));
  const found: { tuple: string[]; answer: string }[] = [];
  const known = fruitful.get(side) ?? new Set();
  fruitful.set(side, known);
  const promise = (tuple: readonly string[]) => tuple.filter((value) => known.has(value)).length;
  const tuples = side.rows.flatMap((row) => tuplesOf(row, frame)).toSorted((a, b) => promise(b) - promise(a));
  for (const tuple of new Map(tuples.map((one) => [one.join(), one])).values()) {
    const answer = await words(tuple);
    if (answer === unknown) continue;
    found.push({ tuple, answer });
    for (const value of tuple) known.add(value);
    if (found.length >= framesTried && found.some((one) => one.answer.startsWith("200"))) break;
  }
  return found
    .sort((a, b) => (a.answer.slice(0, 3) < b.answer.slice(0, 3) ? -1 : 1))
    .map(({ tuple }) => tuple);
}

async function isReadAt(
  place: string,
  slot: Slot,
  frames: readonly string[][],
  { rows }: Side,
  words: (tuple: string[], value: string) => Promise<string>,
): Promise<boolean> {
  for (const tuple of frames.slice(0, framesTried)) {
    const unknown = await words(tuple, inventedValueOf(slot));
    // Values in one row with the path's record are the likeliest to be found beside it.
    const nearest = rows.toSorted((a, b) => Number(isBeside(b, tuple)) - Number(isBeside(a, tuple)));
    const values = new Set(nearest.flatMap((row) => row.values).filter((value) => fits(slot.schema, value)));
    // The answer contains the caller's own id whatever was sent, for example as the editor of a payment, so it proves
    // nothing.
    if (place in unread) for (const value of values) if (unknown.includes(value)) values.delete(value);
    for (const value of values) if ((await words(tuple, value)) !== unknown) return true;
  }
  return false;
}

/**
 * True when a value is in one of our texts: a free-text search matches parts, so a text of the other company may match
 * ours by chance.
 */
const isInOurs = ({ schema }: Slot, value: string, { text }: Side) =>
  schema.format !== "uuid" && text.includes(folded(value));

const folded = (text: string) =>
  text
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}\n]/gu, "")
    .toLowerCase();

const isBeside = ({ values }: Row, tuple: readonly string[]) => tuple.some((value) => values.includes(value));

const headersOf = (contract: Contract, token: string) => ({
  ...bearing(token),
  ...(contract.idempotent && { "idempotency-key": randomUUID() }),
});

const anyId = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/**
 * Removes the sent values: an id even inside addresses, any other text only as a whole JSON string, because it may be a
 * word of the answer itself.
 */
const withoutSent = (text: string, sent: readonly string[]) =>
  sent.reduce((words, value, at) => {
    const quoted = JSON.stringify(value);
    return words.replaceAll(isId(value) ? value : quoted, isId(value) ? `«${at}»` : `"«${at}»"`);
  }, text);

/** The random token of a link, which differs even for a sent id. */
const anyLink = /(?<=\/pagar\/)[\w-]+/g;

/** Returns an answer without the parts that differ between requests: the sent ids, and newly created values. */
function plain({ status, text, type }: Answer, sent: readonly string[], known: ReadonlySet<string>): string {
  const rest = withoutSent(text.replace(/"requestId":"[^"]*"/, ""), sent);
  return `${status} ${type} ${rest.replace(anyLink, "«new»").replace(anyId, (id) => (known.has(id) ? id : "«new»"))}`;
}

/** Returns data of the other company that is in the answer and was not in the request. */
function leakIn({ text }: Answer, sent: readonly string[], attacker: Side, victim: Side): string | undefined {
  const rest = withoutSent(text, sent);
  const words = [wordOf(victim.company), victim.company.name, victim.company.taxId];
  const ids = (rest.match(anyId) ?? []).filter((id) => victim.values.has(id) && !attacker.values.has(id));
  return [...words.filter((word) => rest.includes(word)), ...ids][0];
}

/** Makes both requests and compares them; returns undefined when the other company might as well not exist. */
export async function tryProbe(
  server: FastifyInstance,
  { contract, name, given, asNobody, stolen, invented, bearer }: Probe,
  attacker: Side,
  victim: Side,
): Promise<string | undefined> {
  const headers = headersOf(contract, attacker.tokensFor(contract)[bearer]);
  const answer = await ask(server, contract, given, headers);
  const said = plain(answer, stolen, attacker.values);
  const who = `${attacker.company.name}'s ${bearer}, ${name}`;
  const leak = leakIn(answer, stolen, attacker, victim);
  if (leak) return `${who}: the answer contains ${victim.company.name}: ${leak}`;
  if (stolen.length === 0) return undefined;
  // A sent value may also be a word of the answer itself; then both answers contain it.
  const expected = withoutSent(
    await nobodysAnswer(server, { contract, asNobody, invented }, attacker, bearer),
    stolen,
  );
  if (said === expected) return undefined;
  const from = Math.max(0, [...said].findIndex((character, at) => character !== expected[at]) - 80);
  return `${who}: …${said.slice(from, from + 200)} instead of …${expected.slice(from, from + 200)}`;
}

const answered = new WeakMap<FastifyInstance, Map<object, Map<string, string>>>();

/**
 * Returns the answer for an unused id, requested once for each place and bearer: every probe finds the same data, so
 * the answer is stable.
 */
async function nobodysAnswer(
  server: FastifyInstance,
  { contract, asNobody, invented }: Pick<Probe, "contract" | "asNobody" | "invented">,
  attacker: Side,
  bearer: BearerKind,
): Promise<string> {
  const ofServer = answered.get(server) ?? new Map<object, Map<string, string>>();
  answered.set(server, ofServer);
  const ofPlace = ofServer.get(asNobody) ?? new Map<string, string>();
  ofServer.set(asNobody, ofPlace);
  const token = attacker.tokensFor(contract)[bearer];
  const earlier = ofPlace.get(bearer);
  if (earlier !== undefined) return earlier;
  const words = plain(
    await ask(server, contract, asNobody, headersOf(contract, token)),
    invented,
    attacker.values,
  );
  ofPlace.set(bearer, words);
  return words;
}
