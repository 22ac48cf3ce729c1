/**
 * The product's GETs on a server of the bench that can leave out one part of every call, to measure its cost. WITHOUT
 * names the part; the product itself cannot switch it off.
 * auth: the caller is looked up once, not at each call.
 * tenancy: no transaction begins or ends and connections keep their own rights, so row security checks no row.
 * schema: each input is parsed once and cached, and answers are written by JSON.stringify.
 */
import { assemble } from "../apps/api/src/assemble.ts";
import type { Actor } from "../apps/api/src/platform/auth/actor.ts";
import { statementsIn } from "../apps/api/src/platform/db/batch.ts";
import { type Database, openDatabase } from "../apps/api/src/platform/db/database.ts";
import { createServer } from "../apps/api/src/platform/http/server.ts";
import { createAuthenticate } from "../apps/api/src/session/index.ts";
import { benchSecret, benchServices } from "./kit.ts";

type Authenticate = ReturnType<typeof createAuthenticate>;
const without = process.env["WITHOUT"] ?? "";

function once(authenticate: Authenticate): Authenticate {
  let known: Actor | undefined;
  return async (request) => {
    known ??= (await authenticate(request)).actor;
    return { actor: known };
  };
}

/** Transactions neither begin nor end and no connection drops its rights, so row security checks no row. */
function dropTenancy(db: Database): void {
  const nothing = Promise.resolve({ rows: [], rowCount: 0, command: "COMMIT" });
  db.pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const passed = (...given: unknown[]) => {
      const [asked] = statementsIn(given[0]);
      return asked && /^(begin|commit|rollback)\b/i.test(asked.text) ? nothing : query(...given);
    };
    client.query = passed as typeof client.query;
  });
  db.readers.on("connect", (client) => void client.query("SET ROLE NONE"));
}

interface Parser {
  safeParse(data: unknown): { data?: unknown; error?: unknown };
}

function parseOnce({ schema }: { schema: unknown }) {
  const known = new Map<string, { value: unknown }>();
  return (data: unknown) => {
    const key = JSON.stringify(data);
    const earlier = known.get(key);
    if (earlier) return earlier;
    const parsed = (schema as Parser).safeParse(data);
    if (parsed.error) return { error: parsed.error as Error };
    const result = { value: parsed.data };
    known.set(key, result);
    return result;
  };
}

const db = openDatabase({ connectionString: process.env["DATABASE_URL"] });
if (without === "tenancy") dropTenancy(db);
const services = benchServices(db, "", benchSecret);
const app = await createServer(services);
if (without === "schema") {
  app.setValidatorCompiler(parseOnce as Parameters<typeof app.setValidatorCompiler>[0]);
  app.setSerializerCompiler(() => JSON.stringify);
}
const authenticate = createAuthenticate(services);
assemble(app, services, without === "auth" ? { authenticate: once(authenticate) } : {});
await app.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" });
process.on("SIGTERM", () => process.exit(0));
process.send?.("ready");
