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

/** The list, the job and the housekeeping of the files of all features; `kinds` are those a job makes. */
export const exportsFeature = (everyKind: EveryKind, kinds: FileKinds): Feature => ({
  routes({ serve }) {
    serve(listFiles, (tx, call) => listOwnFiles(tx, call, everyKind));
  },
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
