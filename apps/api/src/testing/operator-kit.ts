/** The operator's command line in tests, as the shell calls it. */
import { operate } from "../operator/command-line.ts";
import type { Services } from "../platform/services.ts";

export const runOperator = (services: Services, ...words: string[]): Promise<string> =>
  operate({ ...services, secrets: () => services.secrets, networks: services }, words);

/** What the operator decides about a company; options that are not named stay as they are. */
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

/** A document that nothing is paid to any more. */
export const blockDocument = (services: Services, taxId: string): Promise<string> =>
  runOperator(services, "block-document", taxId, "ordem judicial");

/** What a person does once the network was asked. */
export async function closeNetworkEvents(services: Services): Promise<void> {
  for (const { id } of JSON.parse(await runOperator(services, "network-events", "--json")))
    await runOperator(services, "close-network-event", id, "Confirmado com a rede");
}
