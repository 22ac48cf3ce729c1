import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/**
 * Lets a large body arrive one piece a turn of the event loop. Node takes up to 32 pieces (two megabytes) of one connection
 * before it looks at another, and each answer needs several turns: whoever sends fast would keep everybody waiting.
 * The pause is the connection's own, so whatever else stops and starts the body (a pipe, a full disk) keeps its say.
 */
export function onePieceATurn({ socket }: IncomingMessage): void {
  // A request that never came over a network has no connection to pause.
  if (!(socket instanceof Socket)) return;
  socket.pause();
  setImmediate(() => socket.resume());
}
