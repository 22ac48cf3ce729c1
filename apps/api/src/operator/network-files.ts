/** Network files that arrived outside Malote; the operator of the installation imports them (decision 0063). */
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { listNetworkFiles, type NetworkFile, saveNetworkFile } from "../payments/index.ts";
import type { Database } from "../platform/db/database.ts";
import { reportingBy, reportingIds } from "../ports/connections.ts";
import { insertOperatorEntry } from "./entries.ts";
import type { Networks } from "./routes.ts";
import { type Answer, answer, usage, WrongCommand } from "./usage.ts";

/** Room for more than ten thousand records of 240 bytes. */
const bytesMax = 20_000_000;

/** Imports a network's file. Parses it here too, so that the operator learns at once that a file is invalid. */
export async function importNetworkFile(
  db: Database,
  networks: Networks,
  [connection = "", path = ""]: readonly string[],
  now: Date,
): Promise<Answer> {
  if (connection === "" || path === "") throw new WrongCommand(usage);
  const known = reportingIds(networks);
  if (!known.includes(connection))
    throw new WrongCommand(
      `Esta instalação não tem a conexão "${connection}". Conexões: ${known.join(", ")}.`,
    );
  const file = reportingBy(networks, connection, "file")?.connection.file;
  if (!file) throw new WrongCommand(`A conexão ${connection} não entrega arquivos.`);
  const content = await readContent(path);
  const name = basename(path);
  let records: number;
  try {
    records = file.read(content).length;
  } catch (error) {
    throw new WrongCommand(`${name} não é um arquivo da conexão ${connection}: ${(error as Error).message}`);
  }
  const isNew = await db.withSystem(async (tx) => {
    const kept = await saveNetworkFile(tx, { connection, name, content }, now);
    if (kept) await insertOperatorEntry(tx, "network_file", { connection, name, records }, now);
    return kept;
  });
  const what = isNew ? "será lido em alguns segundos" : "já foi entregue antes; nada muda";
  return answer({ ok: true, new: isNew, records }, `${name} (${records} registros): ${what}.`);
}

async function readContent(path: string): Promise<Buffer> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new WrongCommand(`Não há um arquivo em ${path}.`);
  if (found.size === 0) throw new WrongCommand(`${path} está vazio.`);
  if (found.size > bytesMax) throw new WrongCommand(`${path} é maior que ${bytesMax / 1_000_000} MB.`);
  return readFile(path);
}

export async function describeNetworkFiles(db: Database): Promise<Answer> {
  const found = await db.withSystem(listNetworkFiles);
  return answer(found, found.map(lineOf).join("\n") || "Nenhum arquivo foi entregue.");
}

const lineOf = ({ connection, name, received_at, read_at, reports, unreadable }: NetworkFile): string =>
  [
    received_at.toISOString(),
    connection,
    name,
    ...(read_at === null ? ["ainda não lido"] : [`${reports} registros`]),
    ...(unreadable ? [`${unreadable} ilegíveis`] : []),
  ].join("  ");
