import { authorize } from "@malote/contracts/session";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import type { PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";

/** Returns the token of the company's own system. */
export async function sandboxCredential(kit: PaymentsKit): Promise<string> {
  const credential = demoCompanies[0]?.credential;
  const answer = await kit.call(authorize, {
    body: {
      grant_type: "client_credentials",
      client_id: credential?.clientId,
      client_secret: credential?.clientSecret,
    },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.access_token;
}
