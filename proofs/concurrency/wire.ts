/** Requests whose answer may be cut on its way, as by a lost connection, a closed laptop or an impatient user. */
import { Agent, type IncomingMessage, request } from "node:http";
import { bases, type Contract } from "@malote/contracts/contract";

export interface Sent {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

export interface WireAnswer {
  status: number;
  /** The body's bytes. */
  text: string;
  code: string | undefined;
  retryAfter: string | undefined;
  replayed: boolean;
}

export interface Wire {
  /** Sends a request; returns undefined when the answer was cut. */
  send(
    contract: Contract,
    input: Sent,
    headers: Record<string, string>,
    cutAfterMs?: number,
  ): Promise<WireAnswer | undefined>;
  close(): void;
}

export function openWire(port: number): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    close: () => agent.destroy(),
    send: (contract, { params = {}, query = {}, body }, headers, cutAfterMs) =>
      new Promise((resolve, reject) => {
        const path = contract.path.replace(/:(\w+)/g, (_, name: string) =>
          encodeURIComponent(params[name] ?? ""),
        );
        const search = new URLSearchParams(query).toString();
        const payload = body === undefined ? "" : JSON.stringify(body);
        const call = request({
          agent,
          port,
          host: "127.0.0.1",
          method: contract.method,
          path: bases[contract.base] + path + (search && `?${search}`),
          headers: {
            ...headers,
            ...(body !== undefined && { "content-type": "application/json" }),
            "content-length": String(Buffer.byteLength(payload)),
          },
        });
        let cut = false;
        call.on("response", (answer) => {
          answer.on("error", () => resolve(undefined));
          void read(answer).then(resolve, () => resolve(undefined));
        });
        call.on("error", (error) => (cut ? resolve(undefined) : reject(error)));
        // Cuts after the request has been sent, so that the server has it and only the answer is lost.
        if (cutAfterMs !== undefined)
          call.on("finish", () =>
            setTimeout(() => {
              cut = true;
              call.destroy();
              resolve(undefined);
            }, cutAfterMs),
          );
        call.end(payload);
      }),
  };
}

async function read(answer: IncomingMessage): Promise<WireAnswer> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  const status = answer.statusCode ?? 0;
  return {
    status,
    text,
    code: status === 200 ? undefined : (JSON.parse(text) as { code?: string }).code,
    retryAfter: answer.headers["retry-after"],
    replayed: answer.headers["idempotent-replayed"] === "true",
  };
}
