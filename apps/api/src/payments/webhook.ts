/** Webhook for networks. Each connection's adapter authenticates a call and parses it for the inbox. */
import type { FastifyInstance } from "fastify";
import { AppError } from "../platform/app-error.ts";
import { companySemaphore } from "../platform/concurrency/company-semaphore.ts";
import type { Services } from "../platform/services.ts";
import { connectionOf } from "../ports/connections.ts";
import type { RailReport, Rails, WebhookCall } from "../ports/rails.ts";

/** Room for about a thousand reports, which are applied within a second while the network waits for the answer. */
const bodyBytesMax = 256_000;
/**
 * Calls of one connection handled at once in one process; a call that finds no place is refused, and the network
 * repeats it.
 */
const atOnce = 2;
const waitingMax = 50;

export function webhookRoutes(server: FastifyInstance, services: Services): void {
  const inTurn = companySemaphore(atOnce, waitingMax);
  server.register((scope, _options, done) => {
    // A signature covers the received bytes, not the result of a parser.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
    scope.post<{ Params: { connection: string }; Body: Buffer | undefined }>(
      "/api/networks/:connection/events",
      { bodyLimit: bodyBytesMax, schema: { hide: true } },
      async ({ params, headers, body, log }, reply) => {
        const rails = connectionOf(services, params.connection);
        const call = { headers, body: body ?? Buffer.alloc(0) };
        // All refusals are equal, so that a stranger does not learn which connections exist.
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

/** Returns false also when the adapter throws on a header. */
function isGenuine(webhook: Webhook, call: WebhookCall): boolean {
  try {
    return webhook.isGenuine(call);
  } catch {
    return false;
  }
}

/**
 * Parses the body; an unreadable one becomes an unreadable report, because the network would repeat a refused call for
 * ever.
 */
function readReports(webhook: Webhook, { body }: WebhookCall): readonly RailReport[] {
  try {
    return webhook.read(body);
  } catch {
    const why = "the body of a call could not be read";
    return [{ unreadable: Buffer.from(body).toString("utf8"), why }];
  }
}
