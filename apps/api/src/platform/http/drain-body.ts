/**
 * Answers a request that is refused before its body was read: the answer leaves at once, and reading the rest of the
 * body has a small limit.
 */
import { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { applyBackpressure } from "./backpressure.ts";

/**
 * Bytes that are read and discarded. A browser receives an early answer only if it may send on for a while; a sender of
 * more than this is not a supported browser.
 */
const drainedBytesMax = 64 * 1024 * 1024;
const drainedMsMax = 10_000;
/**
 * Milliseconds for which a slowed sender may read the answer before its connection is closed; a fast sender would lose
 * it.
 */
const heldUpMs = 1_000;

export function drainBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.readableEnded || raw.destroyed) return;
  reply.header("connection", "close");
  halfClose(raw.socket);
  let drained = 0;
  raw.unpipe();
  raw.on("data", function drain(piece: Buffer) {
    drained += piece.length;
    if (drained <= drainedBytesMax) {
      applyBackpressure(raw, piece);
      return;
    }
    raw.off("data", drain);
    raw.pause();
    setTimeout(() => raw.destroy(), heldUpMs);
  });
  raw.on("error", () => undefined);
  raw.resume();
}

/**
 * Closes only our side of the connection; the sender closes the other after reading the answer. Node destroys the
 * connection once such an answer is written: later data gets a reset, which a fast sender sees before the answer.
 */
function halfClose(socket: Socket): void {
  // An injected request has no connection to close.
  if (!(socket instanceof Socket)) return;
  socket.destroySoon = () => void socket.end();
  const closeTimer = setTimeout(() => socket.destroy(), drainedMsMax);
  socket.once("close", () => clearTimeout(closeTimer));
}
