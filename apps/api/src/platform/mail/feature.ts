import type { MailAttachment } from "../../ports/mailer.ts";
import type { Feature } from "../feature.ts";
import type { Services } from "../services.ts";
import { deleteUnsentSecrets, sendLateMails, sendMail } from "./send-mail.ts";

declare module "../jobs/jobs.ts" {
  interface JobData {
    "send-mail": { companyId: string; mailId: string };
  }
}

/** Sends queued e-mails. `attach` makes the attachment of an e-mail about an object of another feature. */
export const mailFeature = (
  attach: (services: Services, companyId: string, objectId: string) => Promise<MailAttachment>,
): Feature => ({
  jobs: {
    "send-mail": {
      concurrencyMax: 2,
      tries: 12,
      retryDelaySecondsMax: 60,
      run: (services, data) =>
        sendMail(services, data, (companyId, objectId) => attach(services, companyId, objectId)),
    },
  },
  async tidy(services) {
    await deleteUnsentSecrets(services);
    await sendLateMails(services);
  },
});
