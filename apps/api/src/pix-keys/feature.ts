import * as contracts from "@malote/contracts/pix-keys";
import { secondMs } from "@malote/domain/durations";
import { readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { applyDirectoryReports } from "./apply-reports.ts";
import { answerLateClaims, cancelClaim, claimPixKey, confirmClaim } from "./claim.ts";
import { sendPixKeyCode } from "./codes.ts";
import { createPixKey } from "./create.ts";
import { emailAboutPixKeys } from "./emails.ts";
import { pixKeyOnWire } from "./present.ts";
import { removePixKey } from "./remove.ts";
import { repeatDirectoryRequests, sendDirectoryRequest } from "./request.ts";
import { findPixKey, listPixKeys } from "./store.ts";
import { resendPixKeyCode, verifyPixKey } from "./verify.ts";
import { claimWork } from "./work.ts";

export function pixKeyRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serve(contracts.listPixKeys, async (tx) => {
    const company = await readCompany(tx);
    return { data: (await listPixKeys(tx)).map((row) => pixKeyOnWire(row, company)) };
  });
  serve(contracts.readPixKey, async (tx, { params }) => {
    const row = await findPixKey(tx, params.id);
    if (!row) throw new AppError("not_found");
    return pixKeyOnWire(row, await readCompany(tx));
  });
  serve(contracts.createPixKey, (tx, call) => createPixKey(tx, call, services));
  // The handler opens its own transaction, because it counts a wrong code and still refuses.
  serveOutside(contracts.verifyPixKey, { queue: "none" }, (call) => verifyPixKey(services, call));
  serve(contracts.resendPixKeyCode, (tx, call) => resendPixKeyCode(tx, call, services));
  serve(contracts.claimPixKey, (tx, call) => claimPixKey(tx, call, services));
  serve(contracts.cancelPixKeyClaim, (tx, call) => cancelClaim(tx, call, services));
  serve(contracts.confirmPixKeyClaim, (tx, call) => confirmClaim(tx, call, services));
  serve(contracts.deletePixKey, (tx, call) => removePixKey(tx, call, services));
}

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "ask-directory": { companyId: string; keyId: string };
    "send-pix-key-code": { companyId: string; keyId: string };
  }
}

export const pixKeysFeature: Feature = {
  routes: pixKeyRoutes,
  jobs: {
    // A person waits at a screen until the directory has answered.
    "ask-directory": { concurrencyMax: 1, tries: 50, retryDelaySecondsMax: 10, run: sendDirectoryRequest },
    // A code expires after half an hour.
    "send-pix-key-code": { concurrencyMax: 1, tries: 12, retryDelaySecondsMax: 60, run: sendPixKeyCode },
  },
  work: [claimWork],
  subscribers: [
    subscriber({
      name: "pix-key-emails",
      on: ["pix_key.asked_for", "pix_key.lost", "pix_key.given_up"],
      handle: emailAboutPixKeys,
    }),
  ],
  schedules: [
    {
      name: "reports of the Pix directory",
      everyMs: 2 * secondMs,
      async run(services) {
        await applyDirectoryReports(services);
        await answerLateClaims(services);
        await repeatDirectoryRequests(services);
      },
    },
  ],
};
