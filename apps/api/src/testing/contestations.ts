/** Creates infractions in tests: a Pix arrives, and its payer reports it at the sandbox's provider. */
import { answerInfraction, listInfractions, readInfraction } from "@malote/contracts/contestations";
import { bases } from "@malote/contracts/contract";
import { announceInfraction, reportInfraction } from "@malote/contracts/simulator-payins";
import type { Answer } from "./answer.ts";
import type { Person } from "./app.ts";
import { multipart, multipartType } from "./import-kit.ts";
import type { PaymentsKit } from "./payments-kit.ts";

/** Receives a Pix of this value and reports an infraction against it. Returns the id here and the provider's id. */
export async function receiveInfraction(
  kit: PaymentsKit,
  value = 100_00,
  { pixKey, ...complaint }: { situation_type?: string; description?: string; pixKey?: string } = {},
): Promise<{ id: string; providerId: string; endToEndId: string }> {
  const endToEndId = await kit.deposit(value, pixKey);
  const body = { end_to_end_id: endToEndId, situation_type: "scam", ...complaint };
  const answer = await kit.call(reportInfraction, { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await kit.infractions.deliverDue();
  await kit.drainJobs();
  const { rows } = await kit.services.db.pool.query<{ id: string }>(
    "SELECT id FROM infractions WHERE provider_id = $1",
    [answer.body.id],
  );
  if (!rows[0]) throw new Error("the infraction was not received");
  return { id: rows[0].id, providerId: answer.body.id, endToEndId };
}

/** Delivers the provider's event and runs the work that follows from it. */
export async function announceOutcome(kit: PaymentsKit, providerId: string, kind: string): Promise<void> {
  const answer = await kit.call(announceInfraction, { params: { id: providerId }, body: { kind } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await kit.infractions.deliverDue();
  await kit.drainJobs();
}

export const pdf = (bytes = 64) => Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(bytes, "x")]);

export interface Defence {
  analysis?: string;
  analysis_description?: string;
  files?: readonly { name: string; content: Buffer }[];
}

export function defend(
  kit: PaymentsKit,
  token: string,
  id: string,
  defence: Defence,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { files = [], ...fields } = defence;
  const form = multipart([
    ...Object.entries(fields).map(([name, content]) => ({ name, content })),
    ...files.map(({ name, content }) => ({ name: "attachments", fileName: name, content })),
  ]);
  const path = bases.payments + answerInfraction.path.replace(":id", id);
  return kit.send("POST", path, form, { token, headers: { ...multipartType, ...headers } });
}

export const fetchInfraction = async (by: Person, id: string) =>
  (await by.call(readInfraction, { params: { id } })).body;
export const fetchInfractions = async (by: Person, query: Record<string, string> = {}) =>
  (await by.call(listInfractions, { query })).body;
