import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/** Garbage in bytes that pieces may leave before a collection is requested. */
const leftBehindBytesMax = 4 * 1024 * 1024;
let leftBehind = 0;

/**
 * Applies backpressure: a large body arrives one piece per turn of the event loop. Node otherwise takes up to 32 pieces
 * (two megabytes) of one connection before it reads another, and each answer needs several turns, so one fast sender
 * would delay all others. Only the connection pauses, so other causes that stop the body (a pipe, a full disk) keep
 * working.
 */
export function applyBackpressure({ socket }: IncomingMessage, piece: Buffer): void {
  // An injected request has no connection to pause.
  if (!(socket instanceof Socket)) return;
  leftBehind += piece.length;
  socket.pause();
  setImmediate(() => {
    throwAway();
    socket.resume();
  });
}

/**
 * Requests a minor garbage collection, which frees all of this garbage in one millisecond. By default V8 waits for tens
 * of megabytes and then runs a full collection, which blocks all answers for ten milliseconds. Needs a server started
 * with --expose-gc.
 */
function throwAway(): void {
  if (leftBehind < leftBehindBytesMax) return;
  leftBehind = 0;
  globalThis.gc?.({ type: "minor" });
}
