import { type Feature, page } from "../shell/feature.ts";
import type { RouteName } from "../shell/routes.ts";

/** Screens of named routes that only say their name, for tests of the ways that lead there. */
export function placeholderScreens(...names: RouteName[]): Feature {
  return {
    pages: names.map((name) =>
      page(name, { title: name, load: async () => ({ default: () => <h1>{name}</h1> }) }),
    ),
  };
}
