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
            // A check that cannot be made is no clean one.
            booksClean.set(0);
            throw error;
          },
        );
        booksClean.set(faults.length === 0 ? 1 : 0);
        // Logged once, by the worker that looked.
        if (checked !== "nothing") for (const fault of faults) log.error({ fault }, "books check");
      },
    },
  ],
};
