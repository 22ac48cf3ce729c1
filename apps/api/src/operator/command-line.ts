/** `npm run operator -- …` as a function from arguments to output, so that tests and the shell share it. */
import { parseArgs } from "node:util";
import { type CompanyOptions, companyOptions, newNotice } from "@malote/contracts/installation";
import { permissions } from "@malote/contracts/policy";
import { formatTaxId, isTaxId, normaliseTaxId } from "@malote/domain/tax-id";
import { blockTaxId, listCompanies, type NamedCompany, unblockTaxId } from "../company/index.ts";
import type { Secrets } from "../platform/auth/secrets.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import { isUuid } from "../platform/uuid.ts";
import { changeCompanyOptions, readCompanyOptions } from "./company-options.ts";
import {
  closeNetworkEvent,
  decideDeadLetter,
  describeDeadLetters,
  describeRailDeadLetters,
} from "./dead-letters.ts";
import { insertOperatorEntry } from "./entries.ts";
import { describeNetworkFiles, importNetworkFile } from "./network-files.ts";
import { announce, endNotice, listCurrentNotices, showNoticesInSandbox } from "./notices.ts";
import { setPaymentOutcome } from "./payment-outcome.ts";
import { listRoutes, type Networks, removeRoute, setRoute } from "./routes.ts";
import { deleteLostSecrets, reencrypt, showKeys } from "./stored-secrets.ts";
import { type Answer, answer, usage, WrongCommand } from "./usage.ts";

interface Services {
  db: Database;
  clock: Clock;
  /** Opened lazily, because opening creates a secret in a data folder without one. */
  secrets(): Secrets;
  /** Networks that the environment configures. */
  networks: Networks;
}

/** Runs a command and returns its output. Throws WrongCommand for invalid arguments, before it changes anything. */
export async function operate(services: Services, words: readonly string[]): Promise<string> {
  const { positionals, values } = understand(words);
  const [command, ...rest] = positionals;
  const answer = await runCommand(services, command, rest, values);
  return values.json ? JSON.stringify(answer.data, null, 2) : answer.text;
}

function understand(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        link: { type: "string" },
        from: { type: "string" },
        until: { type: "string" },
      },
    });
  } catch (error) {
    throw new WrongCommand(`${(error as Error).message}\n\n${usage}`);
  }
}

async function runCommand(
  services: Services,
  command: string | undefined,
  rest: readonly string[],
  given: { link?: string | undefined; from?: string | undefined; until?: string | undefined },
): Promise<Answer> {
  const { db, clock } = services;
  const now = clock.now();
  switch (command) {
    case "companies": {
      const found = await db.withSystem(listCompanies);
      const lines = found.map(({ id, tax_id, name }) => `${formatTaxId(tax_id)}  ${id}  ${name}`);
      return answer(found, lines.join("\n"));
    }
    case "company": {
      const [which = "", ...changes] = rest;
      const company = await findCompany(db, which);
      const options = await db.withCompany(company.id, async (tx) => {
        const before = await readCompanyOptions(tx);
        return changes.length === 0 ? before : changeCompanyOptions(tx, changedOptions(before, changes), now);
      });
      return answer({ ...company, options }, describe(company, options));
    }
    case "notices": {
      const found = await db.withSystem((tx) => listCurrentNotices(tx, now));
      const lines = found.map(
        ({ id, kind, name, starts_at, ends_at }) =>
          `${id}  ${kind}  ${starts_at} – ${ends_at ?? "aberto"}  ${name}`,
      );
      return answer(found, lines.join("\n") || "Nenhum aviso em vigor.");
    }
    case "incident":
    case "maintenance": {
      const hours =
        command === "maintenance" ? { starts_at: instant(given.from), ends_at: instant(given.until) } : {};
      const parsed = newNotice.safeParse({ kind: command, name: rest[0], link: given.link, ...hours });
      if (!parsed.success)
        throw new WrongCommand(
          `Confira ${parsed.error.issues.map(({ path }) => path.join(".")).join(", ")}.\n\n${usage}`,
        );
      const made = await db.withSystem((tx) => announce(tx, parsed.data, now));
      return answer(made, `Aviso ${made.id} publicado.`);
    }
    case "end-notice": {
      const ended = isUuid(rest[0]) && (await db.withSystem((tx) => endNotice(tx, rest[0] ?? "", now)));
      if (!ended) throw new WrongCommand(`Não há aviso em vigor com o id ${rest[0] ?? ""}.`);
      return answer({ ok: true }, "Aviso encerrado.");
    }
    case "notices-in-sandbox": {
      if (rest[0] !== "on" && rest[0] !== "off") throw new WrongCommand(usage);
      const shows = rest[0] === "on";
      await db.withSystem((tx) => showNoticesInSandbox(tx, shows, now));
      return answer({ shows }, shows ? "O sandbox mostra os avisos." : "O sandbox não mostra avisos.");
    }
    case "block-document":
    case "unblock-document":
      return blockDocument(db, now, command === "block-document", rest);
    case "routes":
      return listRoutes(db, services.networks, rest[0] ? await findCompany(db, rest[0]) : undefined);
    case "route":
    case "remove-route": {
      const [which = "", ...said] = rest;
      const company = await findCompany(db, which);
      const decide = command === "route" ? setRoute : removeRoute;
      return decide(db, services.networks, company, said, now);
    }
    case "dead-letters":
      return describeDeadLetters(db);
    case "retry-event":
    case "skip-event":
      return decideDeadLetter(db, now, command === "retry-event", rest);
    case "network-events":
      return describeRailDeadLetters(db);
    case "close-network-event":
      return closeNetworkEvent(db, now, rest);
    case "network-file":
      return importNetworkFile(db, services.networks, rest, now);
    case "network-files":
      return describeNetworkFiles(db);
    case "payment-outcome":
      return setPaymentOutcome(db, services.networks, rest, now);
    case "keys":
      return showKeys(db, services.secrets());
    case "reencrypt":
      return reencrypt(db, services.secrets(), now);
    case "forget-secrets":
      return deleteLostSecrets(db, services.secrets(), now);
    default:
      throw new WrongCommand(usage);
  }
}

function instant(text: string | undefined): string | undefined {
  // A time zone is required: otherwise the time zone of this machine would apply.
  if (!text || !/T.*(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

async function findCompany(db: Database, which: string): Promise<NamedCompany> {
  const found = (await db.withSystem(listCompanies)).filter(
    ({ id, tax_id }) => id === which || tax_id === normaliseTaxId(which),
  );
  const [company] = found;
  if (!company) throw new WrongCommand(`Nenhuma empresa com o CNPJ ou id "${which}".`);
  if (found.length > 1) throw new WrongCommand(`Mais de uma empresa tem o CNPJ "${which}": diga o id.`);
  return company;
}

function changedOptions(before: CompanyOptions, words: readonly string[]): Partial<CompanyOptions> {
  const raw = Object.fromEntries(words.map((word) => optionOf(before, word)));
  const parsed = companyOptions.partial().strict().safeParse(raw);
  if (parsed.success)
    return Object.fromEntries(Object.entries(parsed.data).filter(([, v]) => v !== undefined));
  const wrong = parsed.error.issues.map((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.join(", ") : issue.path[0],
  );
  throw new WrongCommand(`Confira ${[...new Set(wrong)].join(", ")}.\n\n${usage}`);
}

function optionOf(before: CompanyOptions, word: string): [string, unknown] {
  const at = word.indexOf("=");
  if (at < 1) throw new WrongCommand(`"${word}" não diz opção=valor.\n\n${usage}`);
  const name = word.slice(0, at);
  const value = word.slice(at + 1);
  if (name === "permissions") {
    const held = before.permissions.some((code) => code === "all") ? permissions : before.permissions;
    const list = listOf(held as readonly string[], value);
    // The list of all codes becomes `all`, which also covers future codes.
    return [name, list.length === permissions.length && new Set(list).size === list.length ? ["all"] : list];
  }
  if (name === "feature_flags") return [name, listOf(before.feature_flags, value)];
  if (name === "payment_price")
    return [name, value === "default" ? null : /^\d+$/.test(value) ? Number(value) : value];
  if (name === "apiAccessToken") return [name, value === "none" ? null : value];
  return [name, value === "true" ? true : value === "false" ? false : value];
}

/** Parses a list: `a,b` replaces it; `-a,+b` changes it. */
function listOf(before: readonly string[], value: string): string[] {
  if (value === "none") return [];
  const words = value.split(",").filter(Boolean);
  if (!words.every((word) => /^[+-]/.test(word))) return [...new Set(words)];
  const list = new Set(before);
  for (const word of words) {
    if (word.startsWith("+")) list.add(word.slice(1));
    else if (!list.delete(word.slice(1)) && !(permissions as readonly string[]).includes(word.slice(1)))
      // Added, so that the schema refuses the unknown code by name instead of ignoring it.
      list.add(word.slice(1));
  }
  return [...list];
}

function describe({ name, tax_id, id }: NamedCompany, options: CompanyOptions): string {
  const lines = Object.entries(options).map(
    ([option, value]) =>
      `  ${option}=${Array.isArray(value) ? value.join(",") || "none" : (value ?? (option === "payment_price" ? "default" : "none"))}`,
  );
  return [`${name} · ${formatTaxId(tax_id)} · ${id}`, ...lines].join("\n");
}

async function blockDocument(
  db: Database,
  now: Date,
  blocks: boolean,
  [document = "", reason = ""]: readonly string[],
): Promise<Answer> {
  const taxId = normaliseTaxId(document);
  if (taxId === "" || (blocks && reason.trim() === "")) throw new WrongCommand(usage);
  if (blocks && !isTaxId(taxId))
    throw new WrongCommand("O documento não é um CPF ou CNPJ: confira os dígitos.");
  const changed = await db.withSystem(async (tx) => {
    const isNew = blocks ? await blockTaxId(tx, taxId, reason.trim()) : await unblockTaxId(tx, taxId);
    if (isNew)
      await insertOperatorEntry(
        tx,
        blocks ? "document_blocked" : "document_unblocked",
        { taxId, reason: reason.trim() },
        now,
      );
    return isNew;
  });
  const what = blocks ? "bloqueado" : "liberado";
  return answer({ ok: true, changed }, `${formatTaxId(taxId)} ${changed ? what : `já estava ${what}`}.`);
}
