import type { Feature } from "../platform/feature.ts";
import { booksClean } from "../platform/http/metrics.ts";
import { connectionIds } from "../ports/connections.ts";
import { watchBooks } from "./watch-books.ts";

export const feature: Feature = {
  schedules: [
    {
      name: "books check",
      everyMs: 60_000,
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
        if (checked !== "nothing") for (const fault of faults) log.error({ fault }, "books check");
      },
    },
  ],
};
