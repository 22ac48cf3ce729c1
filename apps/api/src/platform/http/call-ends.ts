/**
 * The end of each call, for the request log and the metrics: its answer was sent, or its client left before that, which
 * no hook of the web server reports. A call whose client left runs on, and its audit entries are written.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { within } from "../work.ts";

/** Status of a call without an answer, as in nginx. */
export const clientLeftStatus = 499;

type EndListener = (request: FastifyRequest, reply: FastifyReply, status: number) => void;

/** Calls `ended` once for each call, in the context of the request. */
export function onCallEnd(app: FastifyInstance, ended: EndListener): void {
  const running = new WeakSet<FastifyRequest>();
  function end(request: FastifyRequest, reply: FastifyReply, status: number): void {
    if (!running.delete(request)) return;
    const report = () => ended(request, reply, status);
    // The events of the connection come from outside the context of the request.
    if (request.work) within(request.work, report);
    else report();
  }
  app.addHook("onRequest", (request, reply, done) => {
    running.add(request);
    const { raw } = reply;
    raw.once("close", () => {
      if (!raw.writableFinished) end(request, reply, statusOfUnfinished(request, reply));
    });
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    end(request, reply, reply.statusCode);
    done();
  });
}

/** A stream of changes lasts until the page closes: leaving is its usual end. */
function statusOfUnfinished({ routeOptions }: FastifyRequest, reply: FastifyReply): number {
  const isStream = routeOptions.config.contract?.transport === "stream";
  return isStream && reply.raw.headersSent ? reply.statusCode : clientLeftStatus;
}
