/**
 * Sends a body as no browser would: raw bytes, any type, with or without a length; it also receives an early answer.
 */
import { request } from "node:http";
import type { HostileRequest } from "./hostile-requests.ts";

export interface UploadAnswer {
  /** Zero when the connection ended without an answer. */
  status: number;
  body: { id?: string; code?: string; message?: string };
  ms: number;
}

const patienceMs = 30_000;

export function sendUpload(
  address: string,
  token: string,
  sent: Pick<HostileRequest, "headers" | "body" | "announced">,
): Promise<UploadAnswer> {
  const since = performance.now();
  return new Promise((resolve) => {
    let answered = false;
    const end = (status: number, text: string) => {
      if (answered) return;
      answered = true;
      clearTimeout(timeout);
      resolve({ status, body: jsonOf(text), ms: performance.now() - since });
      // The rest of a refused body is ignored.
      call.destroy();
    };
    const length = sent.announced === undefined ? {} : { "content-length": String(sent.announced) };
    const call = request(address, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${token}`, ...sent.headers, ...length },
    });
    const timeout = setTimeout(() => end(0, "no answer in time"), patienceMs);
    call.on("response", (answer) => {
      let text = "";
      answer.on("data", (piece) => {
        text += piece;
      });
      answer.on("end", () => end(answer.statusCode ?? 0, text));
    });
    call.on("error", () => setTimeout(() => end(0, "the connection ended"), 50));
    void write(call, sent.body(), () => answered);
  });
}

async function write(
  call: ReturnType<typeof request>,
  pieces: Iterable<Buffer>,
  isAnswered: () => boolean,
): Promise<void> {
  let resume = () => {};
  for (const event of ["drain", "close", "response"]) call.on(event, () => resume());
  for (const piece of pieces) {
    if (isAnswered() || call.destroyed) return;
    if (!call.write(piece)) {
      // An answer or an end must not wait for room in the connection.
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
  }
  if (!call.destroyed) call.end();
}

function jsonOf(text: string): UploadAnswer["body"] {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text };
  }
}
