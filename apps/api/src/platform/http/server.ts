/** The web side of the process: what every request goes through before and after its handler. */
import { randomUUID } from "node:crypto";
import multipart from "@fastify/multipart";
import { sheetBytesMax } from "@malote/domain/limits";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySerializerCompiler,
  LogController,
} from "fastify";
import { validatorCompiler } from "fastify-type-provider-zod";
import type * as z from "zod";
import { AppError } from "../app-error.ts";
import { passing } from "../fail-points.ts";
import type { Services } from "../services.ts";
import { endWorkOfRequest, type Work, within, workOfRequest } from "../work.ts";
import { measureRequests } from "./metrics.ts";
import { sendError } from "./refusals.ts";

/** Bytes of a JSON body. A save of 500 payments with long descriptions stays well below. */
const bodyBytesMax = 1_500_000;

/** A year, as browsers ask for; other names under the domain are not ours to speak for. */
const hsts = "max-age=31536000";

const requestIdPattern = /^[\w-]{8,64}$/;

export async function createServer(services: Services): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: bodyBytesMax,
    // Only proxies named one by one are believed about the address of the caller.
    trustProxy: services.config.trustedProxies.length > 0 ? [...services.config.trustedProxies] : false,
    genReqId(request) {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && requestIdPattern.test(given) ? given : randomUUID();
    },
    // Each line of the log says by itself which request it belongs to (log.ts).
    childLoggerFactory: (logger) => logger,
    requestTimeout: 60_000,
    // What reaches a server that is closing came by a connection it had accepted, and is answered like any other.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300 },
    // An address that is none, or names something by more characters than anything of ours has: nothing is there.
    frameworkErrors: (_error, request, reply) => {
      reply.header("x-request-id", request.id);
      sendError(new AppError("not_found"), request, reply);
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(compileSerializer);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(new AppError("not_found"), request, reply));
  app.decorateRequest("actor");
  app.decorateRequest("bearerCheck");
  app.decorateRequest("work");

  // First of all hooks: what the others do and write belongs to the request.
  app.addHook("onRequest", (request, _reply, done) => {
    request.work = workOfRequest(request.id, request.method, request.headers);
    within(request.work, done);
  });
  await app.register(multipart, {
    limits: { files: 1, fields: 4, fieldSize: 1000, fileSize: sheetBytesMax, parts: 6, headerPairs: 50 },
  });
  measureRequests(app);

  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    // The day of the screens is the system's, also where a sandbox moved its clock forward.
    reply.header("x-malote-now", services.clock.now().toISOString());
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "no-referrer");
    reply.header("x-frame-options", "DENY");
    reply.header("cross-origin-opener-policy", "same-origin");
    // Only where the answer travels encrypted, by our own word or that of a proxy we trust; elsewhere browsers ignore it.
    if (request.protocol === "https") reply.header("strict-transport-security", hsts);
    if (request.url.startsWith("/api/")) reply.header("cache-control", "no-store");
    // A proxy may have believed the other one.
    if (timesNamed(request.raw.rawHeaders, "host") > 1)
      done(new AppError("invalid_request", { fields: ["Host"] }));
    else done();
  });
  app.addHook("preValidation", (request, _reply, done) => {
    if (!isWellFormed(request.body)) done(new AppError("invalid_request", { fields: ["corpo"] }));
    // A body arrives by events of the connection, which know nothing of the request.
    else if (request.work) within(request.work, done);
    else done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (request.method !== "GET") passing("after-answer");
    const { method, routeOptions } = request;
    const status = reply.statusCode;
    // The pattern, not the address: an address may hold a key or a document.
    const route = routeOptions.url ?? "(none)";
    const line = {
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      company: request.actor?.companyId,
      actor: request.actor?.id,
    };
    request.log[levelOf(status, routeOptions.config.isProbe === true)](line, "request");
    if (request.work) endWorkOfRequest(request.work, { method, route, status });
    done();
  });
  return app;
}

/** Load balancers and monitors ask each second and get the same answer: only a change is logged at `info`. */
function levelOf(status: number, isProbe: boolean): "error" | "info" | "debug" {
  if (isProbe) return status >= 400 ? "info" : "debug";
  return status >= 500 ? "error" : "info";
}

declare module "fastify" {
  interface FastifyRequest {
    work?: Work;
  }
  interface FastifyContextConfig {
    /** Asked by machines all the time, for whether the process is well. */
    isProbe?: boolean;
  }
}

/** Raw headers are names and values in turn. */
function timesNamed(rawHeaders: readonly string[], header: string): number {
  let times = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] as string;
    if (name.length === header.length && name.toLowerCase() === header) times++;
  }
  return times;
}

/**
 * An answer has what its contract says, no more: what else an object has is left out, and a value of another kind is a failure.
 * Parsed as everything else is, by the code that the schema was compiled to: the other direction (`encode`) has none.
 */
const compileSerializer: FastifySerializerCompiler<z.ZodType> =
  ({ schema, method, url }) =>
  (answer) => {
    const { data, error } = schema.safeParse(answer);
    if (error) throw new Error(`${method} ${url} answers what its contract does not say`, { cause: error });
    return JSON.stringify(data);
  };

/**
 * JSON may hold half of a sign that takes two places (`"\ud800"`), which is no text for the database. Without recursion: a body
 * may be as deep as it is long.
 */
function isWellFormed(body: unknown): boolean {
  const left: unknown[] = [body];
  for (let value = left.pop(); value !== undefined || left.length > 0; value = left.pop()) {
    if (typeof value === "string" && !value.isWellFormed()) return false;
    if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) continue;
    for (const [key, inside] of Object.entries(value)) {
      if (!key.isWellFormed()) return false;
      left.push(inside);
    }
  }
  return true;
}
