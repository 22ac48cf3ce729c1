import { batches } from "../batches/feature.ts";
import type { Feature } from "../shell/feature.ts";

/** Every feature of the application, in the order of the side menu. A new one is added here and nowhere else. */
export const features: readonly Feature[] = [batches];
