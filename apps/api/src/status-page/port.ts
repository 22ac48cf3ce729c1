/** The status page of the installation, which is outside so that it answers when the product does not (SHL-051). */
export interface Incident {
  name: string;
  resolvedAt: string | null;
  shortlink: string;
}

export interface Maintenance {
  name: string;
  /** Instants in UTC. */
  scheduledFor: string;
  scheduledUntil: string;
}

export interface StatusPage {
  /** Newest first. Rejects when the page cannot be read. */
  incidents(): Promise<Incident[]>;
  /** Those under way first, then those to come. Rejects when the page cannot be read. */
  maintenances(): Promise<Maintenance[]>;
}
