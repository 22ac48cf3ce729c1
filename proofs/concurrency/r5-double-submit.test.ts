import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { addBoleto, changeBoleto } from "@malote/contracts/boletos";
import { contracts } from "@malote/contracts/index";
import { addTransfer, changeTransfer } from "@malote/contracts/transfers";
import type { Page } from "@playwright/test";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import type { MoneyDialog, Subject } from "./dialogs/money-dialog.ts";
import { moneyDialogs } from "./dialogs.ts";
import { atRest, type DoubleSubmit, doubleSubmits } from "./double-submits.ts";
import { type Environment, openEnvironment, until } from "./environment.ts";

const all = everyCase().length;
/** The number of double-submit ways per dialog, which change with the seed. */
const reducedWays = 2;
const actionMs = 15_000;

interface Case {
  dialog: MoneyDialog;
  how: string;
  submit: DoubleSubmit;
}

/** Planted fault: a change of the page before, and of the database after. */
interface Fault {
  before?: (page: Page, dialog: MoneyDialog) => Promise<unknown>;
  after?: (environment: Environment, subject: Subject) => Promise<unknown>;
}

proof(
  "R5",
  "carries out once what a dialog sends twice, and always shows the person how to continue",
  { unit: "double submits", short: 2, reduced: reducedWays * moneyDialogs.length, full: all },
  async ({ count, seed, report }) => {
    const faults = missingContracts();
    const cases = chosenCases(count, seed);
    const environment = await openEnvironment();
    try {
      for (const [index, one] of cases.entries()) {
        const found = await play(environment, one);
        faults.push(...found.map((fault) => `${one.dialog.name}, ${one.how}: ${fault}`));
        if (index % 10 === 9 || found.length > 0)
          report(`${index + 1} double submits, ${faults.length} faults`);
        for (const fault of found) report(`  ${one.dialog.name}, ${one.how}: ${fault}`);
      }
      faults.push(...(await environment.books()));
      const missed: string[] = [];
      const [dialog] = moneyDialogs;
      for (const [name, fault] of Object.entries(plants)) {
        const [how = "", submit] = Object.entries(doubleSubmits)[0] ?? [];
        if (
          !dialog ||
          !submit ||
          (await play(environment, { dialog, how, submit }, fault, 2_000)).length === 0
        )
          missed.push(name);
      }
      return {
        faults,
        figures: { dialogs: moneyDialogs.length, ways: Object.keys(doubleSubmits).length },
        planted: { count: Object.keys(plants).length, missed },
      };
    } finally {
      await environment.close();
    }
  },
);

/** Calls without a key, because the screen assigns the id of what it saves; they save future payments. */
const savesOfPayments = new Set<string>([addTransfer.id, changeTransfer.id, addBoleto.id, changeBoleto.id]);

/**
 * Returns contracts that move money or define its destination and that a screen calls, but that no dialog of this proof
 * covers.
 */
function missingContracts(): string[] {
  const screens = join(import.meta.dirname, "../../apps/web/src");
  const source = readdirSync(screens, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(join(screens, file), "utf8"))
    .join("\n");
  const known = new Set(moneyDialogs.map(({ contract }) => contract.id));
  return contracts
    .filter(({ id, idempotent }) => idempotent || savesOfPayments.has(id))
    .filter(({ id }) => new RegExp(`\\b${id}\\b`).test(source) && !known.has(id))
    .map(({ id }) => `${id} moves money from a screen, and no dialog of this proof sends it`);
}

function everyCase(): Case[] {
  const ways = Object.entries(doubleSubmits);
  return moneyDialogs.flatMap((dialog) =>
    ways
      .filter(([how]) => !(dialog.isTabsOwn && how === "two tabs"))
      .map(([how, submit]) => ({ dialog, how, submit })),
  );
}

/**
 * Returns all cases in an order of the seed: every dialog once before any repeats, calls that move money first, and
 * each dialog by ways other than its predecessor's, so that few cases cover every dialog and every way.
 */
function chosenCases(count: number, seed: number): Case[] {
  const chance = chanceOf(seed);
  const turn = chance.between(0, Object.keys(doubleSubmits).length - 1);
  return moneyDialogs
    .flatMap((dialog, index) => {
      const own = everyCase().filter((one) => one.dialog === dialog);
      const moves = dialog.contract.idempotent ? 0 : 0.5;
      return own.map((_, n) => ({
        one: own[(n + index + turn) % own.length] as Case,
        place: n + moves + chance.share() / 2,
      }));
    })
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ one }) => one);
}

/** Opens one dialog as a person who then sends it twice; returns the faults. */
async function play(
  environment: Environment,
  { dialog, submit }: Case,
  fault: Fault = {},
  patienceMs = actionMs,
): Promise<string[]> {
  const faults: string[] = [];
  const window = await environment.windowOf(dialog.by, dialog.inside);
  window.setDefaultTimeout(actionMs);
  try {
    const subject = await dialog.prepare(environment);
    const page = await window.newPage();
    page.on("pageerror", (error) => void faults.push(`the page threw: ${error.message}`));
    // Back leads to a page of the product, also from a dialog that is opened by its address.
    if (submit === doubleSubmits["back in flight"]) await page.goto("/");
    const confirm = await dialog.open(page, subject);
    await confirm.waitFor();
    await fault.before?.(page, dialog);
    const left = await submit({ dialog, subject, window, page, confirm });
    const done = () =>
      until("it is done", async () => (await dialog.effects(environment, subject)) > 0, patienceMs);
    if (left === "to be sent again") {
      await atRest(page, patienceMs);
      await (await dialog.open(page, subject)).click();
    }
    await done();
    if (left === "elsewhere") await page.getByRole("heading").first().waitFor();
    else await dialog.ended(page, subject).first().waitFor({ timeout: patienceMs });
    await atRest(page, patienceMs);
    await fault.after?.(environment, subject);
    const effects = await dialog.effects(environment, subject);
    if (effects !== 1) faults.push(`done ${effects} times`);
  } catch (error) {
    faults.push(
      String((error as Error).message)
        .split("\n")
        .slice(0, 3)
        .join(" "),
    );
  } finally {
    await window.close();
  }
  return faults;
}

const plants: Record<string, Fault> = {
  "a request that never gets its answer": {
    before: (page, { contract }) =>
      page.route("**/api/**", (route) =>
        route.request().method() === contract.method ? undefined : route.fallback(),
      ),
  },
  "an answer that says done when nothing was": {
    before: (page, { contract }) =>
      page.route("**/close", (route) =>
        route.request().method() === contract.method
          ? route.fulfill({ json: { is_batch_paid: true, status: "PENDING" } })
          : route.fallback(),
      ),
  },
  "a second closing": {
    after: (environment, { batchId }) =>
      environment.ask(
        `INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action, subject_id)
         SELECT company_id, at, actor_kind, actor_name, action, subject_id FROM audit_entries
         WHERE subject_id = $1 AND action = 'batch_closed' LIMIT 1`,
        [batchId],
      ),
  },
};
