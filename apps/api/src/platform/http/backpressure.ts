import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/** How much garbage pieces may leave before it is collected. */
const leftBehindBytesMax = 4 * 1024 * 1024;
let leftBehind = 0;

/**
 * Lets a large body arrive one piece a turn of the event loop. Node takes up to 32 pieces (two megabytes) of one
 * connection before it looks at another, and each answer needs several turns: one fast sender would delay all others.
 * The pause is the connection's own, so other causes that stop and start the body (a pipe, a full disk) keep working.
 */
export function applyBackpressure({ socket }: IncomingMessage, piece: Buffer): void {
  // A request that never came over a network has no connection to pause.
  if (!(socket instanceof Socket)) return;
  leftBehind += piece.length;
  socket.pause();
  setImmediate(() => {
    throwAway();
    socket.resume();
  });
}

/**
 * By default V8 meets tens of megabytes of such garbage with a full collection, which blocks all answers for ten
 * milliseconds. A young one finds all of it in one. Only a server started with --expose-gc can ask for that.
 */
function throwAway(): void {
  if (leftBehind < leftBehindBytesMax) return;
  leftBehind = 0;
  globalThis.gc?.({ type: "minor" });
}
