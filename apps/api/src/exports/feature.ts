import { listFiles } from "@malote/contracts/files";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import { emailAboutExports } from "./emails.ts";
import type { EveryKind, FileKinds } from "./kind.ts";
import { listOwnFiles } from "./list.ts";
import { makeExport } from "./make.ts";
import { tidyExports } from "./tidy.ts";

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "make-export": { companyId: string; exportId: string };
  }
}

/**
 * Registers the list, the job and the housekeeping for the files of all features. `kinds` are those that the job makes.
 */
export const exportsFeature = (everyKind: EveryKind, kinds: FileKinds): Feature => ({
  routes({ serve }) {
    serve(listFiles, (tx, call) => listOwnFiles(tx, call, everyKind));
  },
  jobs: {
    "make-export": {
      concurrencyMax: 3,
      // A ZIP of a hundred thousand receipts takes minutes; with two jobs per company, other companies' jobs still get
      // a place.
      concurrencyPerCompanyMax: 2,
      tries: 20,
      retryDelaySecondsMax: 30,
      run: (services, data) => makeExport(kinds, services, data),
    },
  },
  subscribers: [
    subscriber({ name: "export-emails", on: ["export.ended"], handle: emailAboutExports(kinds) }),
  ],
  tidy: (services) => tidyExports(kinds, services),
});
