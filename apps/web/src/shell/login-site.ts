import type { QueryClient } from "@tanstack/react-query";
import { brandQuery } from "./brand.ts";
import { onLoginUrlAsked } from "./session-keeper.ts";

/** People without a session are sent to the brand's login site, also before the brand was known (SES-024). */
export function leaveToLoginOfBrand(queryClient: QueryClient): void {
  onLoginUrlAsked(async () => (await queryClient.ensureQueryData(brandQuery)).loginUrl);
}
