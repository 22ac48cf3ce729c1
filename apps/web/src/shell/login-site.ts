import type { QueryClient } from "@tanstack/react-query";
import { brandQuery } from "./brand.ts";
import { onLoginUrlAsked } from "./session-keeper.ts";

/** Sends people without a session to the brand's login site, also before the brand is known (SES-024). */
export function leaveToLoginOfBrand(queryClient: QueryClient): void {
  onLoginUrlAsked(async () => (await queryClient.ensureQueryData(brandQuery)).loginUrl);
}
