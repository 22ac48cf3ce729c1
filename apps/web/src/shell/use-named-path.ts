import { useRouter } from "@tanstack/react-router";
import type { Feature } from "./feature.ts";
import { pathOf, type RouteName } from "./routes.ts";

/** Returns the address of a named route (SES-004), or undefined while its screen does not exist. */
export function useNamedPath(name: RouteName): string | undefined {
  return useNamedPaths()(name);
}

/** Returns the addresses of several named routes. */
export function useNamedPaths(): (name: RouteName) => string | undefined {
  const { features } = useRouter().options.context as { features: readonly Feature[] };
  return (name) =>
    features.some((feature) => feature.pages.some((page) => page.name === name)) ? pathOf(name) : undefined;
}
