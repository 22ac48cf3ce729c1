import * as contracts from "@malote/contracts/contestations";
import { downloadExport } from "../exports/index.ts";
import { subscriber } from "../platform/events/subscriber.ts";
import { type Feature, usualPauseMs } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { approveInfraction } from "./answer.ts";
import { runInfractionWork } from "./deadlines.ts";
import { emailAboutInfractions } from "./emails.ts";
import { infractionsKind, readOne, requestInfractions } from "./export.ts";
import { defaultInfractionTerms } from "./infraction-terms.ts";
import { listInfractions, listRefunds, readInfraction } from "./read.ts";
import { receiveDefence, sendAttachment } from "./receive-defence.ts";
import { sendInfractionAnswers } from "./send-answers.ts";
import { countPending } from "./store.ts";
import { tidyAttachments } from "./tidy.ts";
import { infractionWork } from "./work.ts";

export function contestationRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serve(contracts.listInfractions, (tx, call) => listInfractions(tx, services, call));
  serve(contracts.readPendingInfractions, async (tx) => ({ quantity: await countPending(tx) }));
  serve(contracts.readInfraction, (tx, call) => readInfraction(tx, services, call));
  serve(contracts.approveInfractions, (tx, call) => approveInfraction(tx, services, call));
  serveOutside(contracts.answerInfraction, { queue: "none" }, (call) => receiveDefence(services, call));
  serve(contracts.listInfractionRefunds, listRefunds);
  serveOutside(contracts.downloadInfractionFile, { queue: "none" }, (call) => sendAttachment(services, call));
  serve(contracts.exportInfractions, (tx, call) => requestInfractions(tx, call, services.jobs));
  serve(contracts.readInfractionExport, readOne);
  serveOutside(contracts.downloadInfractionExport, { queue: "none" }, (call) =>
    downloadExport(services, call, [infractionsKind]),
  );
  serve(contracts.readInfractionTerms, async () => ({
    text: services.config.infractionTerms ?? defaultInfractionTerms,
  }));
}

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "tell-infractions": { companyId: string };
  }
}

export const contestationsFeature: Feature = {
  routes: contestationRoutes,
  jobs: {
    // Sends answers to infractions. The queue keeps its name, because jobs of the previous release carry it.
    "tell-infractions": {
      concurrencyMax: 1,
      tries: 20,
      retryDelaySecondsMax: 30,
      run: sendInfractionAnswers,
    },
  },
  subscribers: [
    subscriber({ name: "infraction-emails", on: ["infraction.reported"], handle: emailAboutInfractions }),
  ],
  schedules: [{ name: "deadlines of infractions", everyMs: usualPauseMs, run: runInfractionWork }],
  tidy: tidyAttachments,
  work: [infractionWork],
  exports: [infractionsKind],
};
