import { useRouter } from "@tanstack/react-router";
import { type PathOf, pathOf, type RouteName } from "./routes.ts";

/** Returns the address of a named route (SES-004), or undefined while its screen does not exist. */
export function useNamedPath<Name extends RouteName>(name: Name): PathOf<Name> | undefined {
  return useNamedPaths()(name);
}

/** Returns the addresses of several named routes. */
export function useNamedPaths(): <Name extends RouteName>(name: Name) => PathOf<Name> | undefined {
  const { features } = useRouter().options.context;
  return (name) =>
    features.some((feature) => feature.pages.some((page) => page.name === name)) ? pathOf(name) : undefined;
}
