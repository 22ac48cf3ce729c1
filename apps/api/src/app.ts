/** Every route of the product on one server, in the order a reader would look for them. */
import type { FastifyInstance } from "fastify";
import { batchRoutes } from "./batches/routes.ts";
import { billetRoutes } from "./billets/routes.ts";
import { billingRoutes } from "./billing/routes.ts";
import { cardReceivableRoutes } from "./card-receivables/routes.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import type { SandboxCollect } from "./collect/sandbox/index.ts";
import { companyRoutes } from "./company/routes.ts";
import { contestationRoutes } from "./contestations/routes.ts";
import { credentialRoutes } from "./developer/credential-routes.ts";
import { developerRoutes } from "./developer/routes.ts";
import { importRoutes } from "./import/routes.ts";
import { indicatorRoutes } from "./indicators/routes.ts";
import type { SandboxProvider } from "./infractions/sandbox/index.ts";
import { payinRoutes } from "./payins/routes.ts";
import { paymentLinkRoutes } from "./payment-links/routes.ts";
import { pixKeyRoutes } from "./pix-keys/routes.ts";
import type { MovableClock } from "./platform/clock.ts";
import { type Doors, endConnectionsWhenClosing } from "./platform/http/close-doors.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { servePages } from "./platform/http/pages.ts";
import { createServe } from "./platform/http/serve.ts";
import { createServer } from "./platform/http/server.ts";
import type { Parts } from "./platform/parts.ts";
import type { SandboxNetwork } from "./rails/sandbox/index.ts";
import { receiptRoutes } from "./receipts/routes.ts";
import { receiverRoutes } from "./receivers/routes.ts";
import { reportRoutes } from "./reports/routes.ts";
import { createAuthenticate } from "./session/index.ts";
import { sessionRoutes } from "./session/routes.ts";
import { simulatorRoutes } from "./simulator/routes.ts";
import { statementRoutes } from "./statement/routes.ts";
import { statusPageRoutes } from "./status-page/routes.ts";
import { transferRoutes } from "./transfers/routes.ts";
import { userRoutes } from "./users/routes.ts";
import { validationRoutes } from "./validation/routes.ts";

/** What the simulator drives; absent in production. */
export interface Sandbox {
  network: SandboxNetwork;
  infractions: SandboxProvider;
  collecting: SandboxCollect;
  clock: MovableClock;
  demoUsers: readonly { email: string; password: string; profile: string; company: string }[];
  startOver(): Promise<void>;
}

export async function buildApp(
  parts: Parts,
  sandbox: Sandbox | undefined,
  doors: Doors,
): Promise<FastifyInstance> {
  const app = await createServer(parts);
  await developerRoutes(app, parts.config.sandbox);
  const serve = createServe(app, {
    db: parts.db,
    clock: parts.clock,
    authenticate: createAuthenticate(parts),
    sandbox: parts.config.sandbox,
    publicUrl: parts.config.publicUrl,
  });
  endConnectionsWhenClosing(app, doors);
  healthRoutes(app, parts, doors);
  sessionRoutes(serve, parts);
  companyRoutes(serve, parts);
  userRoutes(serve, parts);
  statementRoutes(serve, parts);
  batchRoutes(serve, parts);
  transferRoutes(serve, parts);
  billetRoutes(serve, parts);
  receiverRoutes(serve, parts);
  pixKeyRoutes(serve, parts);
  importRoutes(serve, parts);
  receiptRoutes(serve, parts);
  reportRoutes(serve, parts);
  validationRoutes(serve, parts);
  paymentLinkRoutes(serve, parts);
  checkoutRoutes(serve, parts);
  indicatorRoutes(serve);
  billingRoutes(serve, parts);
  contestationRoutes(serve, parts);
  credentialRoutes(serve);
  statusPageRoutes(serve, parts);
  payinRoutes(serve, parts);
  cardReceivableRoutes(serve, parts);
  if (sandbox) simulatorRoutes(serve, { ...parts, ...sandbox });
  await servePages(app, parts);
  return app;
}
