import { type Feature, page } from "../shell/feature.ts";
import type { RouteName } from "../shell/routes.ts";

/** Screens of named routes that only show their name, for tests of navigation. */
export function placeholderScreens(...names: RouteName[]): Feature {
  return {
    pages: names.map((name) =>
      page(name, { title: name, load: async () => ({ default: () => <h1>{name}</h1> }) }),
    ),
  };
}
