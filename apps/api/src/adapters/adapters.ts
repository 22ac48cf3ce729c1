/** Ports and clock of the external services, from the configured adapters. */
import type { Clock } from "../platform/clock.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { PortName } from "../ports/adapter-choice.ts";
import type { InfractionEventHandler } from "../ports/infractions.ts";
import type { Ports } from "../ports/ports.ts";
import type { AnyEventHandler } from "../ports/rails.ts";

/** One adapter of one or several ports. */
export interface OpenAdapter {
  ports: { readonly [P in PortName]?: Ports[P] };
  /** Starts passing external events to these handlers; this process delivers them when `delivers` is true. */
  start?(handlers: EventHandlers, options: { delivers: boolean }): void;
  stop?(): Promise<void>;
}

/** All external services of the installation. */
export interface Adapters {
  ports: Ports;
  clock: Clock;
  /** Sets the clock to the installation's time. */
  loadClock(): Promise<void>;
  /**
   * Prepares the adapters: loads the clock and, in the sandbox, adds the demo companies. Call it before any code reads
   * the time or a company.
   */
  prepare(): Promise<void>;
  start(handlers: EventHandlers, options: { delivers: boolean }): void;
  stop(): Promise<void>;
  /** Registers the calls of the simulator's screens; adds none where the external services are real. */
  routes(serve: Serve): void;
  /** Lines that the starting terminal shows below the product's address. */
  greeting(url: string): string[];
}

export interface EventHandlers {
  events: AnyEventHandler;
  infraction: InfractionEventHandler;
}
