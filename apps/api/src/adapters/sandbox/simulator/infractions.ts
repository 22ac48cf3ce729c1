/** Simulator calls for the provider of infractions. */
import type { ResponseOf } from "@malote/contracts/contract";
import type {
  announceInfraction,
  listSimulatedInfractions,
  reportInfraction,
} from "@malote/contracts/simulator-payins";
import type { DatabaseWithSandbox } from "../../../platform/db/database.ts";
import type { Call } from "../../../platform/http/serve.ts";
import type { SandboxProvider } from "../infractions/index.ts";
import { readKeyHolders } from "./store.ts";

interface InfractionServices {
  db: DatabaseWithSandbox;
  infractions: SandboxProvider;
}

export async function readAll({
  db,
  infractions,
}: InfractionServices): Promise<ResponseOf<typeof listSimulatedInfractions>> {
  const { received, reported } = await infractions.readAll();
  const holders = await db.withSystem((tx) =>
    readKeyHolders(
      tx,
      received.map((pix) => pix.pix_key),
    ),
  );
  return {
    received: received.map((pix) => ({
      end_to_end_id: pix.end_to_end_id,
      company: holders.get(pix.pix_key) ?? pix.pix_key,
      payer_name: pix.payer_name,
      value: pix.value,
      received_at: pix.received_at.toISOString(),
    })),
    reported: reported.map((one) => ({ ...one, reported_at: one.reported_at.toISOString() })),
  };
}

export const report = ({ infractions }: InfractionServices, { body }: Call<typeof reportInfraction>) =>
  infractions.report({
    endToEndId: body.end_to_end_id,
    situation: body.situation_type,
    description: body.description || null,
  });

export async function announce(
  { infractions }: InfractionServices,
  { params, body }: Call<typeof announceInfraction>,
) {
  await infractions.announce(params.id, body.kind);
  return { ok: true as const };
}
