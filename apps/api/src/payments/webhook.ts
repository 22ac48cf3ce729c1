/** Webhook for networks. The adapter of each connection authenticates a call and parses it for what takes its reports. */
import type { FastifyInstance } from "fastify";
import { AppError } from "../platform/app-error.ts";
import { companySemaphore } from "../platform/concurrency/company-semaphore.ts";
import type { Services } from "../platform/services.ts";
import type { UnreadableReport, Webhook, WebhookCall } from "../ports/connection.ts";
import { reportingBy } from "../ports/connections.ts";
import { type ReportHandlers, receiveReports } from "./receive-reports.ts";

/** Room for about a thousand reports, which are applied within a second while the network waits for the answer. */
const bodyBytesMax = 256_000;
/**
 * Calls of one connection handled at once in one process; a call that finds no place is refused, and the network
 * repeats it.
 */
const atOnce = 2;
const waitingMax = 50;

export function webhookRoutes(server: FastifyInstance, services: Services, handlers: ReportHandlers): void {
  const inTurn = companySemaphore(atOnce, waitingMax);
  server.register((scope, _options, done) => {
    // A signature covers the received bytes, not the result of a parser.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
    scope.post<{ Params: { connection: string }; Body: Buffer | undefined }>(
      "/api/networks/:connection/events",
      { bodyLimit: bodyBytesMax, schema: { hide: true } },
      async ({ params, headers, body, log }, reply) => {
        const reporting = reportingBy(services, params.connection, "webhook");
        const webhook = reporting?.connection.webhook;
        const call = { headers, body: body ?? Buffer.alloc(0) };
        // All refusals are equal, so that a stranger does not learn which connections exist.
        if (!reporting || !webhook || !isGenuine(webhook, call)) throw new AppError("not_authenticated");
        const { id } = reporting.connection;
        const reports = readReports(webhook, call);
        log.debug({ connection: id, reports: reports.length }, "a webhook call was received");
        await inTurn(id, () => receiveReports(services, handlers, reporting, reports, "webhook"));
        return reply.code(204).send();
      },
    );
    done();
  });
}

/** Returns false also when the adapter throws on a header. */
function isGenuine(webhook: Webhook<unknown>, call: WebhookCall): boolean {
  try {
    return webhook.isGenuine(call);
  } catch {
    return false;
  }
}

/**
 * Parses the body; an unreadable one becomes an unreadable report, because the network would repeat a refused call
 * forever.
 */
function readReports<Report>(
  webhook: Webhook<Report>,
  { body }: WebhookCall,
): readonly (Report | UnreadableReport)[] {
  try {
    return webhook.read(body);
  } catch {
    const why = "the body of a call could not be read";
    return [{ unreadable: Buffer.from(body).toString("utf8"), why }];
  }
}
