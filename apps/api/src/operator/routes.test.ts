/** Routes that the installation's operator lists, sets and removes by the shell. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Rails } from "../ports/rails.ts";
import { buildTestApp, type TestApp } from "../testing/app.ts";
import { runOperator } from "../testing/operator-kit.ts";
import { auroraId } from "../testing/payments-kit.ts";
import { slowRails } from "../testing/slow-rails.ts";
import { requireCarriedRoutes } from "./routes.ts";
import { WrongCommand } from "./usage.ts";

let app: TestApp;
beforeEach(async () => {
  app = await buildTestApp();
  const slow = slowRails(app.clock);
  app.services.connections = new Map([[slow.id, slow]]);
});
afterEach(() => app.close());

const run = (...words: string[]) => runOperator(app.services, ...words);
const main = () => app.services.rails.id;
const rows = async (text: string) => (await app.services.db.pool.query(text)).rows;
const routes = () => rows("SELECT company_id, method, connection FROM payment_routes ORDER BY method");
const trail = () =>
  rows(
    `SELECT company_id, actor_name, detail FROM audit_entries WHERE action = 'operator.route_changed' ORDER BY at, id`,
  );

it("sets, changes, lists and removes a company's route of one method, and each change is in its trail once", async () => {
  expect(await run("route", auroraId, "pix", "slow")).toMatch(/^PIX de Aurora.* vai por slow\.$/);
  expect(await run("route", auroraId, "PIX", "slow")).toMatch(/já ia por slow\.$/);
  await run("route", auroraId, "TED", "slow");
  await run("route", auroraId, "TED", main());
  expect(await routes()).toEqual([
    { company_id: auroraId, method: "PIX", connection: "slow" },
    { company_id: auroraId, method: "TED", connection: main() },
  ]);
  const listed = await run("routes");
  expect(listed).toMatch(/PIX {2}slow {2}Aurora/);
  expect(listed).toContain(`O que não tem rota vai por ${main()}. Conexões: ${main()}, slow.`);
  expect(JSON.parse(await run("routes", auroraId, "--json"))).toMatchObject({
    main: main(),
    connections: [main(), "slow"],
    routes: [
      { method: "PIX", connection: "slow", is_configured: true },
      { method: "TED", connection: main(), is_configured: true },
    ],
  });
  expect(JSON.parse(await run("routes", "01990000-0000-7000-8000-00000000b001", "--json")).routes).toEqual(
    [],
  );

  expect(await run("remove-route", auroraId, "PIX")).toContain(`vai por ${main()}`);
  await expect(run("remove-route", auroraId, "PIX")).rejects.toThrow("não tem rota de PIX");
  expect(await routes()).toEqual([{ company_id: auroraId, method: "TED", connection: main() }]);
  const entry = (field: string, from: string | null, to: string | null) => ({
    company_id: auroraId,
    actor_name: "Operador da instalação",
    detail: { changes: { [field]: { from, to } } },
  });
  expect(await trail()).toEqual([
    entry("routePIX", null, "slow"),
    entry("routeTED", null, "slow"),
    entry("routeTED", "slow", main()),
    entry("routePIX", "slow", null),
  ]);
});

it.each([
  [["routes", "00.000.000/0001-91"]],
  [["route"]],
  [["route", "00.000.000/0001-91", "PIX", "slow"]],
  [["route", auroraId, "DOC", "slow"]],
  [["route", auroraId, "PIX", "of nobody"]],
  [["route", auroraId, "PIX"]],
  [["remove-route", "00.000.000/0001-91", "PIX"]],
  [["remove-route", auroraId, "DOC"]],
  [["remove-route", auroraId, "PIX"]],
])("refuses %j and changes nothing", async (words) => {
  await expect(run(...words)).rejects.toThrow(WrongCommand);
  expect(await routes()).toEqual([]);
  expect(await trail()).toEqual([]);
});

it("lists routes over a connection that is no longer configured, and permits their removal", async () => {
  await run("route", auroraId, "PIX", "slow");
  app.services.connections = new Map();
  expect(await run("routes")).toContain("PIX  slow (não configurada)");
  await expect(run("route", auroraId, "PIX", "slow")).rejects.toThrow(`Escolha uma destas: ${main()}.`);
  await run("remove-route", auroraId, "PIX");
  expect(await routes()).toEqual([]);
});

it("refuses a route over a network that does not carry the method, by the command and at the start", async () => {
  await run("route", auroraId, "TED", "slow");
  await requireCarriedRoutes(app.services.db, app.services);
  const onlyPix: Rails = { ...slowRails(app.clock), methods: ["PIX"] };
  app.services.connections = new Map([[onlyPix.id, onlyPix]]);
  await expect(run("route", auroraId, "BILLET", "slow")).rejects.toThrow(
    "A conexão slow não leva BILLET. Ela leva: PIX.",
  );
  await expect(requireCarriedRoutes(app.services.db, app.services)).rejects.toThrow(
    /^A rota de TED de Aurora.* vai por slow, que não leva TED/,
  );
  await run("remove-route", auroraId, "TED");
  await run("route", auroraId, "PIX", "slow");
  await requireCarriedRoutes(app.services.db, app.services);
});

it("permits a start with a route over a connection that is not configured, whose payments wait", async () => {
  await run("route", auroraId, "PIX", "slow");
  app.services.connections = new Map();
  await requireCarriedRoutes(app.services.db, app.services);
});
