import { useRouter } from "@tanstack/react-router";
import type { Feature } from "./feature.ts";
import { pathOf, type RouteName } from "./routes.ts";

/** The address of a named route (SES-004), or undefined while its screen does not exist. */
export function useNamedPath(name: RouteName): string | undefined {
  const { features } = useRouter().options.context as { features: readonly Feature[] };
  const isBuilt = features.some((feature) => feature.pages.some((page) => page.name === name));
  return isBuilt ? pathOf(name) : undefined;
}
