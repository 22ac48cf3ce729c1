import { minuteMs } from "@malote/domain/durations";
import { Gauge } from "prom-client";
import type { Feature } from "../platform/feature.ts";
import { metrics } from "../platform/http/metrics.ts";
import { connectionIds } from "../ports/connections.ts";
import { watchBooks } from "./watch-books.ts";

const booksClean = new Gauge({
  name: "malote_books_clean",
  help: "1 when the last books check passed, 0 when it found a contradiction",
  registers: [metrics],
});

export const ledgerFeature: Feature = {
  schedules: [
    {
      name: "books check",
      everyMs: minuteMs,
      async run({ db, log, clock, ...ports }) {
        const { checked, faults } = await watchBooks(db, clock.now(), connectionIds(ports)).catch(
          (error: unknown) => {
            // A failed check counts as unclean.
            booksClean.set(0);
            throw error;
          },
        );
        booksClean.set(faults.length === 0 ? 1 : 0);
        // Only the worker that checked logs the faults, so each is logged once.
        if (checked !== "nothing")
          for (const fault of faults) log.error({ fault }, "the books check found a fault");
      },
    },
  ],
};
