/** Payment links of a company that already uses them: one that can be paid and one that expired unpaid. */
import { randomBytes } from "node:crypto";
import { addDays, saoPauloDate } from "@malote/domain/calendar";
import { dayMs } from "@malote/domain/durations";
import { cents } from "@malote/domain/money";
import { insertLink } from "../../../payins/index.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { uuidv7 } from "../../../platform/uuid.ts";

export interface DemoLink {
  name: string;
  description: string;
  /** Amount in centavos. */
  amount: number;
  methods: readonly ("pix" | "boleto")[];
  /** Days between the creation of the link and the first start of the demonstration, and from there to its last day. */
  madeBefore: number;
  lastsFor: number;
}

export async function addLinks(tx: Tx, links: readonly DemoLink[], now: Date): Promise<void> {
  for (const { name, description, amount, methods, madeBefore, lastsFor } of links) {
    const made = new Date(now.getTime() - madeBefore * dayMs);
    await insertLink(tx, {
      id: uuidv7(made.getTime()),
      token: randomBytes(16).toString("base64url"),
      name,
      description,
      terms: {
        amount: cents(amount),
        expiresOn: addDays(saoPauloDate(now), lastsFor),
        methods,
        late: null,
        boletoDueDays: methods.includes("boleto") ? 3 : null,
        maxInstallments: null,
      },
      now: made,
    });
  }
}
