/** The operator's command line in tests, as the shell calls it. */
import { operate } from "../operator/command-line.ts";
import type { Services } from "../platform/services.ts";

export const runOperator = (services: Services, ...words: string[]): Promise<string> =>
  operate({ ...services, secrets: () => services.secrets, networks: async () => services }, words);

/** What a person does once the network was asked. */
export async function closeNetworkEvents(services: Services): Promise<void> {
  for (const { id } of JSON.parse(await runOperator(services, "network-events", "--json")))
    await runOperator(services, "close-network-event", id, "Confirmado com a rede");
}
