import * as contracts from "@malote/contracts/developer";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { createCredential, listCredentials, revokeCredential } from "./credentials.ts";
import { emailAboutCredentials } from "./emails.ts";

/** Registers the same calls on the API of each application (DEV-005). */
export function credentialRoutes({ serve }: Serve, services: Services): void {
  serve(contracts.listCredentials, (tx, call) => listCredentials(tx, call, "payments"));
  serve(contracts.createCredential, (tx, call) => createCredential(tx, services, call, "payments"));
  serve(contracts.revokeCredential, (tx, call) => revokeCredential(tx, services, call, "payments"));
  serve(contracts.listValidationCredentials, (tx, call) => listCredentials(tx, call, "validation"));
  serve(contracts.createValidationCredential, (tx, call) =>
    createCredential(tx, services, call, "validation"),
  );
  serve(contracts.revokeValidationCredential, (tx, call) =>
    revokeCredential(tx, services, call, "validation"),
  );
}

export const developerFeature: Feature = {
  routes: credentialRoutes,
  subscribers: [
    subscriber({
      name: "credential-emails",
      on: ["credential.created", "credential.revoked"],
      handle: emailAboutCredentials,
    }),
  ],
};
