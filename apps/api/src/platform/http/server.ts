/** Web server of the process: hooks and handlers that apply to every request. */
import { randomUUID } from "node:crypto";
import multipart from "@fastify/multipart";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySerializerCompiler,
  LogController,
} from "fastify";
import { validatorCompiler } from "fastify-type-provider-zod";
import type * as z from "zod";
import { AppError } from "../app-error.ts";
import { reachFailPoint } from "../fail-points.ts";
import type { Services } from "../services.ts";
import { endWorkOfRequest, type Work, within, workOfRequest } from "../work.ts";
import { onCallEnd } from "./call-ends.ts";
import { measureRequest } from "./metrics.ts";
import { sendError } from "./refusals.ts";

/** Maximum bytes of a JSON body. The largest save of a screen, 500 rows with long descriptions, is far smaller. */
const bodyBytesMax = 1_500_000;
/** Maximum bytes of an uploaded file where the call sets no maximum of its own. */
const fileBytesMax = 50 * 1024 * 1024;

/** One year, as browsers recommend; without subdomains, because other names under the domain are not ours. */
const hsts = "max-age=31536000";

const requestIdPattern = /^[\w-]{8,64}$/;

export async function createServer(services: Services): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: bodyBytesMax,
    // Only explicitly listed proxies are trusted about the caller's address.
    trustProxy: services.config.trustedProxies.length > 0 ? [...services.config.trustedProxies] : false,
    genReqId(request) {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && requestIdPattern.test(given) ? given : randomUUID();
    },
    // Every log line already contains the request id (log.ts).
    childLoggerFactory: (logger) => logger,
    requestTimeout: 60_000,
    // A request that reaches a closing server came on an accepted connection and is answered as usual.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300 },
    // An invalid address, or one with a longer parameter than any of ours, answers 404.
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

  // First hook, so that the work of later hooks and their log lines belong to the request.
  app.addHook("onRequest", (request, _reply, done) => {
    request.work = workOfRequest(request.id, request.method, request.headers);
    within(request.work, done);
  });
  await app.register(multipart, {
    limits: { files: 1, fields: 4, fieldSize: 1000, fileSize: fileBytesMax, parts: 6, headerPairs: 50 },
  });
  onCallEnd(app, (request, reply, status) => {
    const { method, routeOptions } = request;
    // The route pattern, because an address may contain a key or a document.
    const route = routeOptions.url ?? "(none)";
    const ms = reply.elapsedTime;
    measureRequest({ method, route, status }, ms / 1000);
    const line = {
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      company: request.actor?.companyId,
      actor: request.actor?.id,
    };
    request.log[levelOf(status, routeOptions.config.isProbe === true)](line, "request");
    if (request.work) endWorkOfRequest(request.work, { method, route, status });
  });

  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    // Screens use the date of this header, because a sandbox may have moved its clock forward.
    reply.header("x-malote-now", services.clock.now().toISOString());
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "no-referrer");
    reply.header("x-frame-options", "DENY");
    reply.header("cross-origin-opener-policy", "same-origin");
    // Sent only over HTTPS, as seen by this server or a trusted proxy; browsers ignore it elsewhere.
    if (request.protocol === "https") reply.header("strict-transport-security", hsts);
    if (request.url.startsWith("/api/")) reply.header("cache-control", "no-store");
    // A second Host header is refused, because a proxy may have used the other one.
    if (timesNamed(request.raw.rawHeaders, "host") > 1)
      done(new AppError("invalid_request", { fields: ["Host"] }));
    else done();
  });
  app.addHook("preValidation", (request, _reply, done) => {
    if (!isWellFormed(request.body)) done(new AppError("invalid_request", { fields: ["corpo"] }));
    // The body's events come from the connection, outside the context of the request.
    else if (request.work) within(request.work, done);
    else done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    if (request.method !== "GET") reachFailPoint("after-answer");
    done();
  });
  return app;
}

/**
 * Returns the log level of a request. Monitors probe every second and get the same answer, so only failing probes are
 * logged at `info`.
 */
function levelOf(status: number, isProbe: boolean): "error" | "info" | "debug" {
  if (isProbe) return status >= 400 ? "info" : "debug";
  return status >= 500 ? "error" : "info";
}

declare module "fastify" {
  interface FastifyRequest {
    work?: Work;
  }
  interface FastifyContextConfig {
    /** True for calls by which machines constantly check the process. */
    isProbe?: boolean;
  }
}

/** Counts a header in raw headers, which alternate names and values. */
function timesNamed(rawHeaders: readonly string[], header: string): number {
  let times = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] as string;
    if (name.length === header.length && name.toLowerCase() === header) times++;
  }
  return times;
}

/**
 * Serialises an answer by its contract: omits fields that the contract lacks, and fails on a value of another type.
 * Uses parsing, which the schema has compiled code for; the opposite direction (`encode`) has none.
 */
const compileSerializer: FastifySerializerCompiler<z.ZodType> =
  ({ schema, method, url }) =>
  (answer) => {
    const { data, error } = schema.safeParse(answer);
    if (error) throw new Error(`${method} ${url} answers with data outside its contract`, { cause: error });
    return JSON.stringify(data);
  };

/**
 * Returns false for text with an unpaired surrogate (`"\ud800"`), which JSON permits and the database refuses. Not
 * recursive, because a body may be as deep as it is long.
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
