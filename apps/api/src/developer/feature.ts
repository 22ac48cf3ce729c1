import * as contracts from "@malote/contracts/developer";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { create, list, revoke } from "./credentials.ts";
import { emailAboutCredentials } from "./emails.ts";

/** The same calls on the API of each application (DEV-005). */
export function credentialRoutes({ serve }: Serve, services: Services): void {
  serve(contracts.listCredentials, (tx, call) => list(tx, call, "payments"));
  serve(contracts.createCredential, (tx, call) => create(tx, services, call, "payments"));
  serve(contracts.revokeCredential, (tx, call) => revoke(tx, services, call, "payments"));
  serve(contracts.listValidationCredentials, (tx, call) => list(tx, call, "validation"));
  serve(contracts.createValidationCredential, (tx, call) => create(tx, services, call, "validation"));
  serve(contracts.revokeValidationCredential, (tx, call) => revoke(tx, services, call, "validation"));
}

export const feature: Feature = {
  routes: credentialRoutes,
  subscribers: [
    subscriber({
      name: "credential-emails",
      on: ["credential.created", "credential.revoked"],
      handle: emailAboutCredentials,
    }),
  ],
};
