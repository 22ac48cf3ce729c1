import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import { emailAboutExports } from "./emails.ts";
import type { FileKinds } from "./kind.ts";
import { makeExport } from "./make.ts";
import { tidyExports } from "./tidy.ts";

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "make-export": { companyId: string; exportId: string };
  }
}

/** The job and the housekeeping of the files of all features. */
export const exportsFeature = (kinds: FileKinds): Feature => ({
  jobs: {
    "make-export": {
      atOnce: 3,
      // A ZIP of a hundred thousand receipts takes minutes: two of one company leave room for the others.
      atOncePerCompany: 2,
      tries: 20,
      restSecondsMax: 30,
      run: (services, data) => makeExport(kinds, services, data),
    },
  },
  subscribers: [
    subscriber({ name: "export-emails", on: ["export.ended"], handle: emailAboutExports(kinds) }),
  ],
  tidy: (services) => tidyExports(kinds, services),
});
