/** The external services as the product holds them, from whichever adapter. */
import type { Clock } from "../platform/clock.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { InfractionEventHandler } from "../ports/infractions.ts";
import type { Ports } from "../ports/ports.ts";
import type { AnyEventHandler } from "../ports/rails.ts";

export interface Adapters {
  ports: Ports;
  clock: Clock;
  /** Sets the clock to the time of the installation. */
  loadClock(): Promise<void>;
  /** What must be known before anything asks for the time or reads a company. */
  prepare(): Promise<void>;
  /** From now on what happens outside reaches these handlers, delivered by this process where it `delivers`. */
  start(handlers: EventHandlers, options: { delivers: boolean }): void;
  stop(): Promise<void>;
  /** Calls of the outside's own screens; none where the outside is real. */
  routes(serve: Serve): void;
  /** Lines for the terminal that started the process, below the product's address. */
  greeting(url: string): string[];
}

export interface EventHandlers {
  events: AnyEventHandler;
  infraction: InfractionEventHandler;
}
