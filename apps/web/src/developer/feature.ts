import { readCompanySettings } from "@malote/contracts/company";
import { call } from "../shell/call.ts";
import { type Feature, page } from "../shell/feature.ts";
import { type BeforeEnter, forbiddenPath } from "../shell/guards.ts";
import { hasApplication } from "../shell/session.ts";

/**
 * DEV-002: people without the validation application need the company's API access. When that cannot be read, the page
 * itself reports it.
 */
const onlyWithApiAccess: BeforeEnter = async (session) => {
  if (hasApplication(session, "validation")) return undefined;
  const settings = await call(readCompanySettings).catch(() => undefined);
  return settings?.hasApiAccess === false ? forbiddenPath : undefined;
};

export const developer: Feature = {
  pages: [
    page("DeveloperAreaCredentialsPage", {
      title: "Credenciais de APIs",
      before: [onlyWithApiAccess],
      load: () => import("./credentials-page.tsx"),
    }),
  ],
};
