/** Wrong answers on purpose: the clients must notice each, otherwise their silence proves nothing. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { listBanks } from "@malote/contracts/company";
import { createWorkload, perform } from "./workload.ts";

const wrong: Record<string, (answer: ServerResponse) => void> = {
  "a raw 500": (answer) => void answer.writeHead(500).end(),
  "a 503 that does not say when to come back": (answer) => void answer.writeHead(503).end(),
  "a request cut off": (answer) => void answer.destroy(),
  "an answer cut off in the middle": (answer) => {
    answer.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    answer.write("{", () => answer.destroy());
  },
};

export async function missedAnswers(): Promise<string[]> {
  const missed: string[] = [];
  for (const [name, answerWrongly] of Object.entries(wrong)) {
    let isFirst = true;
    const server = createServer((_request, answer) => {
      if (isFirst) answerWrongly(answer);
      else answer.writeHead(200, { "content-type": "application/json" }).end("[]");
      isFirst = false;
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const workload = createWorkload(`http://127.0.0.1:${port}`, { cuts: false, unavailable: true });
    await perform(workload, { email: "", token: "token" }, listBanks);
    if (workload.faults.length === 0) missed.push(name);
    server.close();
    server.closeAllConnections();
  }
  return missed;
}

export const plantedAnswerCount = Object.keys(wrong).length;
