import * as contracts from "@malote/contracts/developer";
import type { Serve } from "../platform/http/serve.ts";
import { create, list, revoke } from "./credentials.ts";

/** The same calls on the API of each application (DEV-005). */
export function credentialRoutes({ serve }: Serve): void {
  serve(contracts.listCredentials, (tx, call) => list(tx, call, "payments"));
  serve(contracts.createCredential, (tx, call) => create(tx, call, "payments"));
  serve(contracts.revokeCredential, (tx, call) => revoke(tx, call, "payments"));
  serve(contracts.listValidationCredentials, (tx, call) => list(tx, call, "validation"));
  serve(contracts.createValidationCredential, (tx, call) => create(tx, call, "validation"));
  serve(contracts.revokeValidationCredential, (tx, call) => revoke(tx, call, "validation"));
}
