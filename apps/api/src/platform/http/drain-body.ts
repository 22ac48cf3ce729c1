/** A request refused before its body was read: the answer goes out at once, and the rest of the body may not cost much. */
import { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { applyBackpressure } from "./backpressure.ts";

/**
 * A browser receives an early answer only when it may send on for a while; a sender of more than this is not a
 * supported browser.
 */
const drainedBytesMax = 64 * 1024 * 1024;
const drainedMsMax = 10_000;
/** A slowed sender has the time to read the answer before it is cut off; a fast one would lose it. */
const heldUpMs = 1_000;

export function drainBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.readableEnded || raw.destroyed) return;
  reply.header("connection", "close");
  letTheSenderClose(raw.socket);
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
 * Node destroys the connection as soon as such an answer is written. Data that arrives then is answered with a reset,
 * and a fast sender sees that before the answer. So only our side is closed, and the sender closes the other after
 * reading it.
 */
function letTheSenderClose(socket: Socket): void {
  // A request that never came over a network has no connection to close.
  if (!(socket instanceof Socket)) return;
  socket.destroySoon = () => void socket.end();
  const patience = setTimeout(() => socket.destroy(), drainedMsMax);
  socket.once("close", () => clearTimeout(patience));
}
