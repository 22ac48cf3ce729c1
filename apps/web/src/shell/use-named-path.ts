import { useRouter } from "@tanstack/react-router";
import type { Feature } from "./feature.ts";

/** The address of a named route (SES-004), or undefined while its screen does not exist. */
export function useNamedPath(name: string): string | undefined {
  const { features } = useRouter().options.context as { features: readonly Feature[] };
  return features.flatMap((feature) => feature.pages).find((page) => page.name === name)?.path;
}
