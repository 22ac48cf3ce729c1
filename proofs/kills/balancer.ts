/**
 * A small load balancer: sends requests in turn to the backends that report ready, and queues them while none is. It
 * tries another backend only when the first refused the connection, because then it never had the request.
 */
import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const lookEveryMs = 50;
/** Milliseconds that a request waits while no backend is ready. */
export const waitMsMax = 20_000;

interface Backend {
  url: URL;
  agent: Agent;
  ready: boolean;
}

export interface Balancer {
  url: string;
  /** Requests that a backend accepted and did not answer. */
  failed: string[];
  refused(): number;
  stop(): Promise<void>;
}

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const backends: Backend[] = urls.map((url) => ({
    url: new URL(url),
    // Kept connections are the hard case for a shutdown.
    agent: new Agent({ keepAlive: true }),
    ready: false,
  }));
  const failed: string[] = [];
  let refused = 0;
  let turn = 0;
  let stopping = false;

  const watching = backends.map(async (backend) => {
    while (!stopping) {
      backend.ready = await isReady(backend.url);
      await sleep(lookEveryMs);
    }
  });

  async function choose(): Promise<Backend | undefined> {
    const deadline = performance.now() + waitMsMax;
    while (performance.now() < deadline) {
      const ready = backends.filter((backend) => backend.ready);
      const chosen = ready[turn++ % Math.max(1, ready.length)];
      if (chosen) return chosen;
      await sleep(5);
    }
    return undefined;
  }

  async function forward(asked: IncomingMessage, body: Buffer, answer: ServerResponse): Promise<void> {
    const backend = await choose();
    if (!backend) return giveUp(asked, answer, "no server was ready");
    const { url, agent } = backend;
    const onward = request({
      agent,
      host: url.hostname,
      port: url.port,
      method: asked.method,
      path: asked.url,
      headers: asked.headers,
    });
    onward.once("error", (error: NodeJS.ErrnoException) => {
      if (answer.headersSent) return;
      if (error.code !== "ECONNREFUSED") return giveUp(asked, answer, error.message);
      refused++;
      backend.ready = false;
      void forward(asked, body, answer);
    });
    onward.once("response", (got) => {
      // The backend's connection headers apply only to its own connection.
      const { connection: _, "keep-alive": __, ...headers } = got.headers;
      answer.writeHead(got.statusCode ?? 502, headers);
      got.once("error", (error) => {
        failed.push(`${asked.method} ${asked.url}: ${error.message}`);
        answer.destroy();
      });
      got.pipe(answer);
    });
    onward.end(body);
  }

  function giveUp(asked: IncomingMessage, answer: ServerResponse, why: string): void {
    failed.push(`${asked.method} ${asked.url}: ${why}`);
    answer.writeHead(502).end();
  }

  const server = createServer(async (asked, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    await forward(asked, Buffer.concat(chunks), answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failed,
    refused: () => refused,
    async stop() {
      stopping = true;
      await Promise.all(watching);
      for (const { agent } of backends) agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function isReady(url: URL): Promise<boolean> {
  const asked = get({ host: url.hostname, port: url.port, path: "/readyz", agent: false });
  try {
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode === 200;
  } catch {
    return false;
  }
}
