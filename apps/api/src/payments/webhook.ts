/** Where networks call us. Each connection's adapter says whether a call is genuine, and reads it into the one inbox. */
import type { FastifyInstance } from "fastify";
import { AppError } from "../platform/app-error.ts";
import { companySemaphore } from "../platform/http/company-semaphore.ts";
import type { Services } from "../platform/services.ts";
import { connectionOf } from "../ports/connections.ts";
import type { RailReport, Rails, WebhookCall } from "../ports/rails.ts";

/** Some thousand reports, which are applied within a second: the network waits for the answer. */
const bodyBytesMax = 256_000;
/** Of one connection in one process; a call that finds no place is refused, and the network repeats it. */
const atOnce = 2;
const waitingMax = 50;

export function webhookRoutes(server: FastifyInstance, services: Services): void {
  const inTurn = companySemaphore(atOnce, waitingMax);
  server.register((scope, _options, done) => {
    // A signature is of the bytes that came, not of what a parser makes of them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
    scope.post<{ Params: { connection: string }; Body: Buffer | undefined }>(
      "/api/networks/:connection/events",
      { bodyLimit: bodyBytesMax, schema: { hide: true } },
      async ({ params, headers, body, log }, reply) => {
        const rails = connectionOf(services, params.connection);
        const call = { headers, body: body ?? Buffer.alloc(0) };
        // One refusal for all: a stranger does not learn which connections there are.
        if (!rails?.webhook || !isGenuine(rails.webhook, call)) throw new AppError("not_authenticated");
        const reports = readReports(rails.webhook, call);
        log.debug({ connection: rails.id, reports: reports.length }, "a network called");
        const origin = { connection: rails.id, feed: "webhook" } as const;
        await inTurn(rails.id, () => services.handleEvents(reports, origin));
        return reply.code(204).send();
      },
    );
    done();
  });
}

type Webhook = NonNullable<Rails["webhook"]>;

/** A header that an adapter cannot make sense of is no proof. */
function isGenuine(webhook: Webhook, call: WebhookCall): boolean {
  try {
    return webhook.isGenuine(call);
  } catch {
    return false;
  }
}

/** The network said something, and would repeat it for ever if it were refused. */
function readReports(webhook: Webhook, { body }: WebhookCall): readonly RailReport[] {
  try {
    return webhook.read(body);
  } catch {
    const why = "the body of a call could not be read";
    return [{ unreadable: Buffer.from(body).toString("utf8"), why }];
  }
}
