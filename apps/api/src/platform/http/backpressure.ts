import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/** What pieces may leave behind before it is thrown away. */
const leftBehindBytesMax = 4 * 1024 * 1024;
let leftBehind = 0;

/**
 * Lets a large body arrive one piece a turn of the event loop. Node takes up to 32 pieces (two megabytes) of one connection
 * before it looks at another, and each answer needs several turns: whoever sends fast would keep everybody waiting.
 * The pause is the connection's own, so whatever else stops and starts the body (a pipe, a full disk) keeps its say.
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
 * Left to itself, V8 meets tens of megabytes of such garbage with a collection of everything, and nobody is answered for
 * ten milliseconds. A young one finds all of it in one. Only a server started with --expose-gc can ask for that.
 */
function throwAway(): void {
  if (leftBehind < leftBehindBytesMax) return;
  leftBehind = 0;
  globalThis.gc?.({ type: "minor" });
}
