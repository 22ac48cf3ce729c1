/**
 * A cheap client, because it shares the machine with what it measures: one open connection, one request at a time, and
 * only as much HTTP as our own servers need.
 */
import { once } from "node:events";
import { connect } from "node:net";

export interface HttpAnswer {
  status: number;
  body: string;
}

export interface HttpClient {
  send(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<HttpAnswer>;
  close(): void;
}

export async function openClient(url: string): Promise<HttpClient> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | undefined;

  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = received.toString("latin1", 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    const done = waiting;
    if (length === undefined) {
      socket.destroy(new Error(`an answer without its length: ${head}`));
      return;
    }
    const total = end + 4 + Number(length);
    if (received.length < total) return;
    const answer = { status: Number(head.slice(9, 12)), body: received.toString("utf8", end + 4, total) };
    received = received.subarray(total);
    waiting = undefined;
    done?.resolve(answer);
  });
  const broken = (error?: Error) => waiting?.reject(error ?? new Error("the connection was closed"));
  socket.on("error", broken);
  socket.on("close", () => broken());

  return {
    send(method, path, headers = {}, body) {
      if (waiting) throw new Error("one request at a time");
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const content = body === undefined ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
      const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
      waiting = { resolve, reject };
      socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join("")}${content}\r\n${body ?? ""}`,
      );
      return promise;
    },
    close: () => socket.destroy(),
  };
}

/** Runs every task once with this many concurrent clients, and returns the tasks per second. */
export async function ratePerSecond<Task>(
  url: string,
  clients: number,
  tasks: readonly Task[],
  perform: (client: HttpClient, task: Task) => Promise<void>,
): Promise<number> {
  const open = await Promise.all(Array.from({ length: clients }, () => openClient(url)));
  const started = performance.now();
  let next = 0;
  await Promise.all(
    open.map(async (client) => {
      for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) await perform(client, task);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const client of open) client.close();
  return tasks.length / seconds;
}

/** Returns the body of a successful answer; throws for any other. */
export function expectOk({ status, body }: HttpAnswer): string {
  if (status !== 200) throw new Error(`${status} ${body}`);
  return body;
}
