/** Runs the operator's command line in tests, as a shell does. */
import { operate } from "../operator/command-line.ts";
import type { Services } from "../platform/services.ts";

export const runOperator = (services: Services, ...words: string[]): Promise<string> =>
  operate({ ...services, secrets: () => services.secrets, networks: services }, words);

/** Sets the operator's options of a company; omitted options stay unchanged. */
export const setCompany = (
  services: Services,
  companyId: string,
  options: Readonly<Record<string, boolean | readonly string[]>>,
): Promise<string> =>
  runOperator(
    services,
    "company",
    companyId,
    ...Object.entries(options).map(
      ([name, value]) => `${name}=${typeof value === "boolean" ? value : value.join(",") || "none"}`,
    ),
  );

/** Blocks a document, so that nothing is paid to it any more. */
export const blockDocument = (services: Services, taxId: string): Promise<string> =>
  runOperator(services, "block-document", taxId, "ordem judicial");

/** Closes the open network events, as a person does after asking the network. */
export async function closeNetworkEvents(services: Services): Promise<void> {
  for (const { id } of JSON.parse(await runOperator(services, "network-events", "--json")))
    await runOperator(services, "close-network-event", id, "Confirmado com a rede");
}
