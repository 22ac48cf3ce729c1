/** Port to the status page, which is hosted elsewhere so that it answers when the product does not (SHL-051). */
export interface Incident {
  name: string;
  resolvedAt: string | null;
  shortlink: string;
}

export interface Maintenance {
  name: string;
  /** Instant in UTC. */
  scheduledFor: string;
  scheduledUntil: string;
}

export interface StatusPage {
  /** Returns incidents, newest first. Rejects when the page cannot be read. */
  incidents(): Promise<Incident[]>;
  /** Returns current maintenances, then future ones. Rejects when the page cannot be read. */
  maintenances(): Promise<Maintenance[]>;
}
